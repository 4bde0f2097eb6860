#!/usr/bin/env python3
"""A link that is as bad as it is told to be, between this machine and a network namespace of its own. Needs root.

    bad-network.py NAMESPACE SUBNET        10.99.88: this machine is 10.99.88.1, the namespace 10.99.88.2

Packets go from one TUN device to the other through this process. Prints READY, then takes one JSON object a line on standard
input, each in place of the one before, and answers with what it did since then (`late_ms`: by how much it was itself too late):

    {"loss": 5, "burst": 5, "delay": 20, "jitter": 100, "reorder": 2, "duplicate": 1, "seed": 3}    percent, packets, ms
    {"jitter": 100, "mixed": 1}            packets do not queue up behind the one that is late: they overtake it
    {"cut": 10}                            nothing passes for 10 s from now on; the rest stays as it is

Ends, and removes the namespace, with its input. There is no route out of the namespace.
"""
import fcntl
import heapq
import json
import os
import random
import select
import struct
import subprocess
import sys
import time

TUNSETIFF = 0x400454CA
IFF_TUN = 0x0001
IFF_NO_PI = 0x1000
REORDERED_LATER_S = 0.045
DEFAULTS = {'loss': 0, 'burst': 1, 'delay': 0, 'jitter': 0, 'mixed': 0, 'reorder': 0, 'duplicate': 0, 'seed': 1}
QUEUE_MAX = 20_000


def open_tun(name):
    device = os.open('/dev/net/tun', os.O_RDWR | os.O_NONBLOCK)
    fcntl.ioctl(device, TUNSETIFF, struct.pack('16sH', name.encode(), IFF_TUN | IFF_NO_PI))
    return device


def run(*words):
    subprocess.run(words, check=True)


class Way:
    """One direction."""

    def __init__(self, target):
        self.target = target
        self.losing = False
        self.run = 0
        self.last_due = 0.0
        self.counts = {'seen': 0, 'lost': 0, 'longest': 0, 'duplicated': 0, 'reordered': 0}

    def loses(self, settings, dice):
        """Runs of lost packets have a mean length of `burst`; in the long run `loss` percent go."""
        share = settings['loss'] / 100
        if share <= 0:
            return False
        length = max(1, settings['burst'])
        if self.losing:
            self.losing = dice.random() >= 1 / length
        if not self.losing:
            self.losing = dice.random() < share / (length * (1 - share))
        return self.losing

    def due(self, now, settings, dice):
        at = now + (settings['delay'] + dice.random() * settings['jitter']) / 1000
        if dice.random() < settings['reorder'] / 100:
            self.counts['reordered'] += 1
            return at + REORDERED_LATER_S
        if settings['mixed']:
            return at
        # Jitter alone keeps the order: packets queue up behind the one that is late.
        self.last_due = max(at, self.last_due)
        return self.last_due


class Link:
    def __init__(self, here, there):
        self.ways = {here: Way(there), there: Way(here)}
        self.settings = dict(DEFAULTS)
        self.dice = random.Random(1)
        self.cut_until = 0.0
        self.queue = []
        self.order = 0
        self.late_s = 0.0

    def tell(self, line):
        asked = json.loads(line)
        if 'cut' in asked:
            self.cut_until = time.monotonic() + asked['cut']
            return
        done = {'ways': [way.counts for way in self.ways.values()], 'late_ms': round(self.late_s * 1000)}
        self.late_s = 0.0
        self.settings = {**DEFAULTS, **asked}
        self.dice = random.Random(self.settings['seed'])
        for way in self.ways.values():
            way.counts = dict.fromkeys(way.counts, 0)
            way.losing = False
        print(json.dumps(done), flush=True)

    def take(self, device):
        way = self.ways[device]
        while True:
            try:
                packet = os.read(device, 65536)
            except BlockingIOError:
                return
            now = time.monotonic()
            way.counts['seen'] += 1
            if now < self.cut_until or way.loses(self.settings, self.dice) or len(self.queue) >= QUEUE_MAX:
                way.counts['lost'] += 1
                way.run += 1
                way.counts['longest'] = max(way.counts['longest'], way.run)
                continue
            way.run = 0
            copies = 2 if self.dice.random() < self.settings['duplicate'] / 100 else 1
            way.counts['duplicated'] += copies - 1
            due = way.due(now, self.settings, self.dice)
            for _ in range(copies):
                self.order += 1
                heapq.heappush(self.queue, (due, self.order, way.target, packet))

    def deliver(self):
        while self.queue and self.queue[0][0] <= time.monotonic():
            due, _, target, packet = heapq.heappop(self.queue)
            self.late_s = max(self.late_s, time.monotonic() - due)
            try:
                os.write(target, packet)
            except OSError:
                pass  # The device is full or down: one more packet lost.

    def wait_s(self):
        return max(0.0, min(0.5, self.queue[0][0] - time.monotonic())) if self.queue else 0.5


def serve(link):
    pending = b''
    while True:
        ready, _, _ = select.select([*link.ways, sys.stdin.fileno()], [], [], link.wait_s())
        for source in ready:
            if source != sys.stdin.fileno():
                link.take(source)
                continue
            read = os.read(source, 65536)
            if not read:
                return
            *lines, pending = (pending + read).split(b'\n')
            for line in lines:
                link.tell(line)
        link.deliver()


def main():
    namespace, subnet = sys.argv[1], sys.argv[2]
    here, there = f'nd{os.getpid()}a', f'nd{os.getpid()}b'
    link = Link(open_tun(here), open_tun(there))
    inside = ('ip', 'netns', 'exec', namespace, 'ip')
    try:
        run('ip', 'netns', 'add', namespace)
        run('ip', 'link', 'set', there, 'netns', namespace)
        run('ip', 'addr', 'add', f'{subnet}.1', 'peer', f'{subnet}.2', 'dev', here)
        run('ip', 'link', 'set', here, 'up')
        run(*inside, 'addr', 'add', f'{subnet}.2', 'peer', f'{subnet}.1', 'dev', there)
        run(*inside, 'link', 'set', there, 'up')
        run(*inside, 'link', 'set', 'lo', 'up')
        print('READY', flush=True)
        serve(link)
    finally:
        subprocess.run(['ip', 'netns', 'del', namespace], stderr=subprocess.DEVNULL)


if __name__ == '__main__':
    main()
