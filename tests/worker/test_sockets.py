"""Tables of /proc/net as the kernel prints them."""

from __future__ import annotations

from worker.sample.sockets import parse_connections, parse_unix

TCP = b"""  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode
   0: 00000000:1538 00000000:0000 0A 00000000:00000000 00:00000000 00000000 10001        0 11 1 0 100 0 0 10 0
   1: 024012C6:1538 014012C6:D2F4 01 00000000:00000000 02:000AFB3C 00000000 10001        0 12 2 0 20 4 30 10 -1
   2: 024012C6:1538 014012C6:D2F6 01 00000000:00000000 00:00000000 00000000 10001        0 13 1 0 20 4 30 10 -1
   3: 024012C6:1538 014012C6:D2F8 06 00000000:00000000 03:00000F2C 00000000     0        0 0 3 0000000000000000
   4: 024012C6:0050 034012C6:D2FA 08 00000000:00000000 00:00000000 00000000 10001        0 15 1 0 20 4 30 10 -1
"""  # noqa: E501  the kernel's own line
TCP6 = b"""  sl  local_address                         remote_address                        st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode
   0: 00000000000000000000000000000000:1F90 00000000000000000000000000000000:0000 0A 00000000:00000000 00:00000000 00000000     0        0 21 1 0 100 0 0 10 0
   1: 0000000000000000FFFF0000024012C6:1F90 0000000000000000FFFF0000014012C6:C4D2 01 00000000:00000000 00:00000000 00000000     0        0 22 1 0 20 4 30 10 -1
   2: 00000000000000000000000001000000:C4D4 00000000000000000000000001000000:1F91 01 00000000:00000000 00:00000000 00000000     0        0 23 1 0 20 4 30 10 -1
"""  # noqa: E501  the kernel's own line
UDP = b"""   sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode ref pointer drops
  812: 024012C6:1451 014012C6:A0B4 01 00000000:00000000 00:00000000 00000000 10001        0 31 2 0000000000000000 0
 1090: 00000000:1451 00000000:0000 07 00000000:00000000 00:00000000 00000000 10001        0 32 2 0000000000000000 0
"""  # noqa: E501  the kernel's own line
UNIX = """Num       RefCount Protocol Flags    Type St Inode Path
0000000000000000: 00000002 00000000 00010000 0001 01 41 /sockets/.s.PGSQL.5432
0000000000000000: 00000003 00000000 00000000 0001 03 42 /sockets/.s.PGSQL.5432
0000000000000000: 00000002 00000000 00000000 0001 02 0 /sockets/.s.PGSQL.5432
0000000000000000: 00000003 00000000 00000000 0001 03 43
0000000000000000: 00000003 00000000 00000000 0001 03 44 /sockets/other.sock
0000000000000000: 00000003 00000000 00000000 0002 03 45 /sockets/.s.PGSQL.5432
"""


def test_connections_have_the_address_of_their_peer() -> None:
    found = parse_connections(TCP)
    assert [(c.local_port, c.peer, c.inode, c.listens) for c in found] == [
        (5432, "0.0.0.0", 11, True),
        (5432, "198.18.64.1", 12, False),
        (5432, "198.18.64.1", 13, False),
        (80, "198.18.64.3", 15, False),
    ]


def test_ipv4_in_ipv6_is_written_as_ipv4() -> None:
    assert [c.peer for c in parse_connections(TCP6) if not c.listens] == ["198.18.64.1", "::1"]


def test_of_udp_only_connected_sockets_count() -> None:
    assert [(c.local_port, c.peer) for c in parse_connections(UDP)] == [(5201, "198.18.64.1")]


def test_of_unix_sockets_only_stream_connections_on_the_path_count() -> None:
    assert parse_unix(UNIX, "/sockets/.s.PGSQL.5432") == {0, 42}
