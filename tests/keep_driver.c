// Stands in for dlclose in sanitized builds only (see CMakeLists.txt here).
int dlclose(void *handle);
int dlclose(void *handle)
{
    (void)handle;
    return 0;
}
