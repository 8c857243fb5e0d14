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

void works_set_planes(const struct works *works, struct scene *scene)
{
    const struct document *document = works->document;
    scene->atlas = document_steps(document) ? parts_atlas(document->parts) : NULL;
    view_grey(scene->view, &document->facts, scene->grey);
}
