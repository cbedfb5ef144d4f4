"""The files by which a test and the processes of a stand speak: faults that are armed, and who served a request."""

CLOCK = "clock"
DIE_BEFORE_PUBLISH = "die-before-publish"
DIE_COMPUTING = "die-computing"
SECRETS_SHOWN = "secrets-shown"
SERVED_BY = "served-by"
SLOW_START = "slow-start"
UNBOUNDED = "unbounded"
TOKENS_STAY = "tokens-stay"
UNTHROTTLED = "unthrottled"
MAILS = "mails"  # a folder: what the service mailed
