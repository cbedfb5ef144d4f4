"""The files by which a test and the processes of a stand speak: faults that are armed, and who served a request."""

DIE_BEFORE_PUBLISH = "die-before-publish"
DIE_COMPUTING = "die-computing"
SERVED_BY = "served-by"
UNTHROTTLED = "unthrottled"
