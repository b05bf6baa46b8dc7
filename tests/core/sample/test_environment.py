"""The facts of an environment: names that stored runs have, and those of the client's host."""

from __future__ import annotations

from backend.core.sample.environment import CLIENT_HOST, ENGINE, HOST_FACTS, SERVER, SYSCTL, of_client_host


def test_the_names_are_those_of_stored_runs() -> None:
    assert HOST_FACTS == ("host", "os", "kernel", "architecture", "cpu", "cores", "memory")
    assert (SYSCTL, ENGINE, SERVER, CLIENT_HOST) == ("sysctl ", "engine ", "server ", "client host")


def test_the_facts_of_a_client_host_are_those_that_identify_it() -> None:
    facts = {"host": "x", "kernel": "6.1", "cores": 8, "boot id": "b", "sysctl net.core.somaxconn": "4096"}
    assert of_client_host("bench-2", facts) == {
        "client host": "bench-2",
        "client host kernel": "6.1",
        "client host cores": 8,
    }
