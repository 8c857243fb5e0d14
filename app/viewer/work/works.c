#include "app/viewer/work/works.h"

void works_redraw(struct works *works)
{
    schedule_move(works->schedule, window_time());
}

const char *works_refuses(const struct works *works, const struct method *method)
{
    return document_refuses(works->document, works->gpu, method);
}

bool works_wants_surface(const struct works *works)
{
    return works->document && schedule_wants(works->schedule, &works->settings->view);
}
