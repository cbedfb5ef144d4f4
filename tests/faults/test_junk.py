"""Fault 57: what nobody of ours sent lies in the broker, or the broker takes nothing more."""

from __future__ import annotations

import base64
import contextlib
import json
import time
import uuid

import pytest
from kombu import Connection, Exchange, Queue
from kombu.transport import redis
from redis import Redis

from config.celery import app
from ops.broker import embedded_socket
from ops.transport import KEPT, Transport
from tests.faults.audit import settle
from tests.faults.counts import count
from tests.faults.phones import call, evenings
from tests.faults.stand import CELERY, wait_for
from tests.ops.test_serve import Service
from tests.scoring.evenings import evening

FAR = "2999-01-01T00:00:00+00:00"


def message(task="core.tasks.beat", args=(), *, body=None, **headers):
    """Return a message as Celery puts it into the broker, with whatever is wrong with it."""
    content = json.dumps([list(args), {}, {}]) if body is None else body
    tag = str(uuid.uuid4())
    return json.dumps(
        {
            "body": base64.b64encode(content.encode()).decode(),
            "content-encoding": "utf-8",
            "content-type": "application/json",
            "headers": {"task": task, "id": tag, "root_id": tag, "lang": "py", "argsrepr": "", **headers},
            "properties": {
                "body_encoding": "base64",
                "delivery_info": {"exchange": "", "routing_key": "celery"},
                "delivery_tag": tag,
                "priority": 0,
            },
        }
    )


def junk():
    """Return one of every kind of message that no worker can do anything with."""
    whole = json.loads(message())
    return [
        "hello",
        "",
        "\x00\xff",
        "[]",
        "null",
        "{}",
        "[" * 5000,
        json.dumps({"body": "x"}),
        json.dumps(whole | {"properties": {}}),
        json.dumps(whole | {"properties": {"delivery_tag": "t"}}),
        json.dumps(whole | {"properties": whole["properties"] | {"delivery_tag": [1]}}),
        json.dumps(whole | {"headers": None}),
        json.dumps(whole | {"headers": {}}),
        json.dumps(whole | {"headers": [1]}),
        json.dumps(whole | {"body": "not base64!"}),
        json.dumps(whole | {"content-type": "application/x-python-serialize"}),
        json.dumps(whole | {"content-encoding": "nonsense"}),
        message(body="{"),
        message(body="[1]"),
        message(body='"text"'),
        message("nobody.knows.this"),
        message("celery.starmap", [{"task": "scoring.tasks.notify"}, [[]] * 10_000]),
        message(["no", "name"]),
        message("scoring.tasks.refresh"),
        message("scoring.tasks.refresh", ["standings", {"a": 1}]),
        message("scoring.tasks.refresh", ["nothing", "x" * 100_000]),
        message(eta=FAR),
        message(eta="never"),
        message(expires="never"),
        message(timelimit="x"),
        message(timelimit=[None, 10**400]),
        message(retries="x"),
        message(compression="nonsense"),
        message(chain=[{"task": "nobody.knows.this"}]),
        message(callbacks=[1]),
        message(shadow={"a": 1}),
        message(body='[[], {}, {"chain": [{"task": "nobody.knows.this"}]}]'),
        message(body='[[], {}, {"errbacks": ["x"], "chord": {"a": 1}}]'),
        message(body="[[], {}, 5]"),
    ]


@pytest.fixture
def broker(stand):
    """The stand's broker, which a test may fill."""
    with Redis(unix_socket_path=str(stand.folder / "valkey.sock")) as broker:
        yield broker
        broker.config_set("maxmemory", 0)
        broker.replicaof("NO", "ONE")


@pytest.mark.fault(57, "junk and poison messages")
def test_57_junk_is_thrown_away_and_work_goes_on(stand, ledger, figures, broker):
    settle()
    kinds = junk()
    waiting = [kinds[number % len(kinds)] for number in range(count(2_000, 100_000))]
    before = len(stand.log("worker"))
    began = time.monotonic()
    for start in range(0, len(waiting), 1000):
        broker.lpush("celery", *waiting[start : start + 1000])
    assert ledger.report(evening(confirmation="trust")).status == 201
    settle()
    figures.recovered(began, within=60)
    assert stand.running["worker"].poll() is None
    wait_for(lambda: broker.llen("celery") < 50)
    said = len(stand.log("worker")) - before
    assert said < 300 * len(waiting), "a line or two per message at the most, and no message in it"
    figures.clean(f"{len(waiting)} messages of {len(kinds)} kinds, {said // 1000} kB in the log")


@pytest.mark.fault(57, "messages of ours, far too many")
def test_57_messages_that_nobody_took_keep_no_other_waiting(stand, ledger, figures, broker):
    """As after a week-end without a worker, or where somebody sends them: each is a message that we would write."""
    settle()
    stand.stop("worker")
    waiting = [message("scoring.tasks.refresh", ["standings", f"event{number}"]) for number in range(1000)]
    for _ in range(count(8, 100)):
        broker.lpush("celery", *waiting)
    began = time.monotonic()
    assert ledger.report(evening(confirmation="trust")).status == 201
    wait_for(lambda: broker.llen("celery") < 2 * KEPT)
    left = [json.loads(each)["headers"]["task"] for each in broker.lrange("celery", 0, -1)]
    assert left.count("scoring.tasks.refresh") > KEPT / 2, "what was sent last is kept"
    stand.start("worker")
    settle()
    figures.recovered(began, within=60)
    figures.clean(f"{count(8, 100)},000 messages")


def test_57_what_fails_around_a_task_stops_no_worker_of_threads(tmp_path, up_to_date):
    """The worker of `./run`: such a message was never acknowledged, and after two of them it took no more."""
    with Service(up_to_date(tmp_path / "data")) as service:
        assert service.works(), "what is sent at the start is done"
        for odd in ({"chain": [{"task": "nobody.knows.this"}]}, {"shadow": {"a": 1}}):
            with Redis(unix_socket_path=str(embedded_socket(service.data))) as broker:
                broker.lpush("celery", *(message("scoring.tasks.notify", **odd) for _ in range(10)))
            time.sleep(1)
            assert service.works(), odd


@pytest.mark.parametrize(("transport", "survives"), [(redis.Transport, False), (Transport, True)])
def test_57_control_kombu_ends_with_a_message_that_is_none(broker, transport, survives):
    path = broker.connection_pool.connection_kwargs["path"]
    fails = contextlib.nullcontext() if survives else pytest.raises(ValueError, match="Expecting value")
    with Connection(f"redis+socket://{path}") as link:
        link.transport_cls = transport
        with link.Consumer(Queue("control")), fails, contextlib.suppress(TimeoutError):
            broker.lpush("control", "hello")
            link.drain_events(timeout=2)


def test_57_what_is_said_to_all_is_thrown_away_where_it_is_no_task(broker):
    """Another program's workers on the same server may tell each other how they are."""
    path = broker.connection_pool.connection_kwargs["path"]
    with Connection(f"redis+socket://{path}") as link:
        link.transport_cls = Transport  # type: ignore[assignment]  # the stubs know of names alone
        said = Queue("listener", Exchange("said", type="fanout"))
        with link.Consumer(said, callbacks=[lambda *_: None]):
            for attempt in (junk()[3], junk()[0], message(headers=None), json.dumps({"body": "x"})):
                with contextlib.suppress(TimeoutError):
                    link.drain_events(timeout=0.2)  # it listens from here on
                broker.publish("/0.said", attempt)
            with contextlib.suppress(TimeoutError):
                link.drain_events(timeout=1)
    broker.delete("listener", "_kombu.binding.said")


def test_57_workers_started_without_any_option_let_each_other_live(stand, ledger, broker):
    """As the table of the deployment says. Celery's own would tell each other how they are, every two seconds."""
    settle()
    for name in ("first", "second"):
        stand.running[name] = stand.spawn(name, f"{CELERY} worker --hostname {name}@here --concurrency 1")
    try:
        wait_for(lambda: broker.info("clients")["blocked_clients"] >= 3)
        time.sleep(5)
        assert {name: stand.running[name].poll() for name in ("first", "second")} == {"first": None, "second": None}
        assert broker.pubsub_numpat() == 0, "none listens to another"
        assert ledger.report(evening(confirmation="trust")).status == 201
        settle()
    finally:
        stand.stop("first")
        stand.stop("second")


def test_57_work_among_junk_is_done_once_and_in_order(broker):
    path = broker.connection_pool.connection_kwargs["path"]
    first, *others = (message("scoring.tasks.refresh", ["standings", name]) for name in ("a", "b", "b", "c"))
    broker.lpush("control", first, *(part for each in others for part in ("hello", message(eta=FAR), each)))
    taken = []

    def take(body, message):
        taken.append(body[0][1])
        message.ack()

    with Connection(f"redis+socket://{path}") as link:
        link.transport_cls = Transport  # type: ignore[assignment]  # the stubs know of names alone
        with link.Consumer(Queue("control"), callbacks=[take], accept=["json"]), contextlib.suppress(TimeoutError):
            while True:
                link.drain_events(timeout=1)
    assert taken == ["a", "b", "c"]
    assert not broker.exists("control")


def take_names(broker, *names):
    """Put something of another kind under names of ours, as somebody who uses the same server might.

    Both at once: the scheduler may send a message in between.
    """
    for name in names:
        at_once = broker.pipeline().delete(name)
        (at_once.set if "binding" in name else at_once.sadd)(name, "another's")
        at_once.execute()


@pytest.mark.fault(57, "names of ours in the broker taken by something else")
def test_57_what_lies_under_a_name_of_ours_is_set_aside(stand, ledger, figures, broker):
    settle()
    names = ["celery", "celery\x06\x163", "unacked", "unacked_index"]
    began = time.monotonic()
    for name in names:
        take_names(broker, name)
        assert ledger.report(evening(confirmation="trust")).status == 201
        settle()
    assert stand.running["worker"].poll() is None
    figures.recovered(began, within=60)
    stand.stop("worker")
    take_names(broker, *names, "_kombu.binding.celery")
    stand.start("worker")
    assert ledger.report(evening(confirmation="trust")).status == 201
    settle()
    assert stand.running["worker"].poll() is None
    kept = broker.keys("*.set-aside-*")
    assert len(kept) == 9, "nothing of anybody else's is lost"
    broker.delete(*kept)
    figures.clean("4 names taken from a worker that runs, 5 from one that starts")


def test_57_junk_among_what_is_under_way_stops_no_worker(broker):
    """A worker that starts looks for what another one has left, and would end with each try."""
    app.loader.import_default_modules()  # as a worker does: what names no job of ours is thrown away
    path = broker.connection_pool.connection_kwargs["path"]
    left = [
        "hello",
        "[]",
        "null",
        "[1, 2, 3]",
        '[{}, "", "control"]',
        json.dumps([json.loads(message()), "", "control"]),
    ]
    for number, content in enumerate(left):
        broker.hset("unacked", f"tag-{number}", content)
        broker.zadd("unacked_index", {f"tag-{number}": number})
    with Connection(f"redis+socket://{path}") as link:
        link.transport_cls = Transport  # type: ignore[assignment]  # the stubs know of names alone
        link.default_channel.qos.restore_visible(num=None)  # type: ignore[attr-defined]
    # Where the stand's worker is just looking, it has the lock, and what is left is its to restore.
    wait_for(lambda: not broker.exists("unacked", "unacked_index"))
    assert broker.llen("control") == 1, "what is a message is done"
    broker.delete("control")


def make_full(broker: Redis) -> None:
    """Leave a broker no memory for messages."""
    broker.config_set("maxmemory", 1)


def make_read_only(broker: Redis) -> None:
    """Make a broker follow another that is away, as a failover that went wrong does."""
    broker.replicaof("127.0.0.1", "1")


@pytest.mark.parametrize(
    ("refuse", "said"),
    [
        pytest.param(make_full, "full", marks=pytest.mark.fault(57, "broker at maxmemory")),
        pytest.param(make_read_only, "read-only", marks=pytest.mark.fault(57, "broker made a replica")),
    ],
)
def test_57_broker_that_refuses_messages_costs_nobody_a_result(stand, ledger, figures, broker, refuse, said):
    tables = evenings(count(6, 50), confirmation="trust")
    settle()
    refuse(broker)
    answers = [ledger.report(each) for each in tables]
    assert {answer.status for answer in answers} == {201}
    wait_for(lambda: call(stand.port, "GET", "/readyz").body["checks"]["broker"] == said)
    broker.config_set("maxmemory", 0)
    broker.replicaof("NO", "ONE")
    free = time.monotonic()
    settle()
    figures.recovered(free, within=60)
    figures.clean(f"{len(tables)} reports, the longest took {max(answer.seconds for answer in answers):.2f} s")
