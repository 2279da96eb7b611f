"""Stands in for `java` where Eldarica's protocol is to go wrong on demand: what the query says is what happens.

As the server it answers on a port, to those who bring the ticket; started for one query it says what tells it apart.
"""

import os
import select
import socket
import sys
import time

TICKET = "".join(map(chr, range(48, 88)))
COLD = '(error "asked cold")'
PING = b"PING\n"


def serve() -> None:
    listening = socket.create_server(("127.0.0.1", 0))
    print(listening.getsockname()[1], TICKET, sep="\n", flush=True)
    while True:
        connection, _ = listening.accept()
        with connection, connection.makefile("rb") as lines:
            if lines.readline().decode().rstrip("\n") != TICKET:
                continue
            words = iter(lambda: lines.readline().decode().rstrip("\n"), "PROVE_AND_EXIT")
            path = list(words)[-1]
            with open(path) as file:
                answer(connection, file.read().strip())


def answer(connection: socket.socket, wish: str) -> None:
    if wish == "die":
        connection.sendall(b"sat\n(")
        os._exit(1)
    if wish == "shut down":
        connection.sendall(b"ERROR: hanging system, shutting down\n")
    elif wish == "flood":
        flood(connection)
    elif wish == "hang":
        time.sleep(1000)
    elif wish == "eat":
        eaten = bytearray(300 * 1024 * 1024)
        time.sleep(1000)
        print(len(eaten))
    elif wish == "wait for a sign":
        select.select([connection], [], [])
        connection.sendall(b"sat\n()\n" if connection.recv(len(PING)) == PING else b"(error)")
    elif wish != "say nothing":
        connection.sendall(wish.encode() + b"\n")


def flood(connection: socket.socket) -> None:
    try:
        while True:
            connection.sendall(b"x" * 65536)
    except OSError:
        return


if __name__ == "__main__":
    if "lazabs.ServerMain" in sys.argv:
        serve()
    print("Eldarica v9.9." if sys.argv[-1] == "-h" else COLD)
