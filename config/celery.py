"""The Celery application: broker, limits, schedule, and request ids carried into tasks."""

from __future__ import annotations

import datetime as dt
import os
from typing import Any

from celery import Celery, Task
from celery.signals import (
    beat_init,
    before_task_publish,
    celeryd_init,
    setup_logging,
    task_failure,
    task_postrun,
    task_prerun,
    worker_ready,
)
from kombu import Queue

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")

from django.conf import settings
from django.utils import timezone

from config.checks import refuse_unusable
from core import context, disk
from ops import transport

REDELIVERY = {
    # A task whose worker died comes back after this time, not after Celery's default of an hour.
    "visibility_timeout": 120,
    "unacked_restore_interval": 10,
    "unacked_restore_throttle": 10,
}
PUBLISHER = REDELIVERY | {
    # A web process waits for the broker no longer than this, whether it refuses or hangs.
    "socket_connect_timeout": 0.5,
    "socket_timeout": 0.5,
    "retry_on_timeout": False,
    "max_retries": 0,
}


class _Task(Task):
    """A task as this application runs it."""

    Request = "ops.worker:Request"


# Celery takes these before what it is told, and a shell may have them from another project.
for name in ("BROKER_URL", "BROKER_READ_URL", "BROKER_WRITE_URL", "RESULT_BACKEND", "LOADER"):
    os.environ.pop(f"CELERY_{name}", None)
transport.install()
app = Celery("ludoscore", set_as_current=True, task_cls=_Task)
app.conf.update(
    broker_url=settings.BROKER_URL,
    broker_transport_options=PUBLISHER,
    broker_connection_retry_on_startup=True,
    broker_connection_max_retries=None,
    broker_connection_timeout=1,
    task_serializer="json",
    accept_content=["json"],
    task_ignore_result=True,
    task_acks_late=True,
    task_reject_on_worker_lost=True,
    task_soft_time_limit=60,
    task_time_limit=90,
    task_publish_retry=False,
    worker_consumer="ops.worker:Consumer",
    worker_prefetch_multiplier=1,
    worker_cancel_long_running_tasks_on_connection_loss=True,
    worker_enable_remote_control=False,
    worker_send_task_events=False,
    # A worker takes both unless it is told otherwise; what goes outside has its own, because receivers may be slow.
    task_queues=[Queue("celery", routing_key="celery"), Queue("webhooks", routing_key="webhooks")],
    task_routes={
        "tournaments.tasks.deliver": {"queue": "webhooks"},
        "tournaments.tasks.push": {"queue": "webhooks"},
        "core.tasks.send_mails": {"queue": "webhooks"},
    },
    timezone="UTC",
    beat_scheduler="ops.scheduler:Scheduler",
    # Each is sent when the scheduler starts, too: a laptop that runs for an evening never sees a day pass.
    beat_schedule={
        "beat": {
            "task": "core.tasks.beat",
            "schedule": settings.HEARTBEAT,
            # Beats that pile up while no worker runs say nothing new.
            "options": {"expires": settings.HEARTBEAT.total_seconds()},
        },
        "deliver": {
            "task": "tournaments.tasks.deliver",
            "schedule": dt.timedelta(seconds=10),
            "options": {"expires": 10},
        },
        "notify": {"task": "scoring.tasks.notify", "schedule": settings.SWEEP, "options": {"expires": 10}},
        "push": {
            "task": "tournaments.tasks.push",
            "schedule": dt.timedelta(seconds=10),
            "options": {"expires": 10},
        },
        "clear-deliveries": {"task": "tournaments.tasks.clear_deliveries", "schedule": dt.timedelta(hours=1)},
        "clear-key-uses": {"task": "tournaments.tasks.clear_key_uses", "schedule": dt.timedelta(hours=6)},
        "remind": {"task": "tournaments.tasks.remind", "schedule": dt.timedelta(minutes=10)},
        "sweep": {
            "task": "scoring.tasks.sweep",
            "schedule": settings.SWEEP,
            "options": {"expires": settings.SWEEP.total_seconds()},
        },
        "send-mails": {
            "task": "core.tasks.send_mails",
            "schedule": dt.timedelta(seconds=10),
            "options": {"expires": 10},
        },
        "clear-mails": {"task": "core.tasks.clear_mails", "schedule": dt.timedelta(days=1)},
        "clear-answers": {"task": "core.tasks.clear_answers", "schedule": dt.timedelta(hours=1)},
        "clear-games": {"task": "play.tasks.clear_games", "schedule": dt.timedelta(hours=1)},
        "clear-sessions": {"task": "core.tasks.clear_sessions", "schedule": dt.timedelta(hours=1)},
    },
)
app.autodiscover_tasks(["core", "tournaments", "scoring", "play"])


@celeryd_init.connect
@beat_init.connect
def _refuse_unusable(**_: Any) -> None:
    refuse_unusable()


@celeryd_init.connect
def _wait_for_messages(conf: Any, **_: Any) -> None:
    # A worker blocks on the broker by design: the publisher's short time-outs would cut it off.
    conf.broker_transport_options = REDELIVERY | {"socket_connect_timeout": 2, "socket_keepalive": True}


@setup_logging.connect
def _keep_our_logging(**_: Any) -> None:
    """Leave logging as the settings have it: a connected handler keeps Celery from installing its own."""


@worker_ready.connect
def _beat_at_once(**_: Any) -> None:
    """Let `/readyz` see a new worker without waiting for the schedule."""
    app.send_task("core.tasks.beat")


@before_task_publish.connect
def _attach(headers: dict[str, Any], **_: Any) -> None:
    headers["request_id"] = context.request_id.get()
    headers["sent_at"] = timezone.now().isoformat()


@task_prerun.connect
def _enter(task: Any, task_id: str, **_: Any) -> None:
    context.request_id.set(task.request.get("request_id") or task_id)


@task_failure.connect
def _tell_of_the_disk(exception: BaseException, **_: Any) -> None:
    disk.note(exception)


@task_postrun.connect
def _leave(**_: Any) -> None:
    context.request_id.set("-")
