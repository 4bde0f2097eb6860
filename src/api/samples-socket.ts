import type { Sample } from './operation.ts';
import { API_KEY, BASE_URL, CLIENT_START, SOCKET_URL } from './samples.ts';

/** Live transcription of a file, sent as a microphone would. `clip.wav` is 16 kHz, 16-bit, mono. */
const SHELL = `NIDAA_URL='${BASE_URL}' NIDAA_TOKEN='${API_KEY}' \\
  nidaa transcribe clip.wav --live --language en-US`;

const TYPESCRIPT = `import { readFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import WebSocket from 'ws'; // npm install ws

const audio = (await readFile('clip.wav')).subarray(44); // 16 kHz PCM behind the header
const socket = new WebSocket('${SOCKET_URL}/v1/transcribe/ws', {
  headers: { Authorization: 'Bearer ${API_KEY}' },
});
const send = (frame: object) => socket.send(JSON.stringify(frame));

socket.on('message', async (data) => {
  const frame = JSON.parse(String(data));
  console.log(frame);
  if (frame.type === 'error') process.exitCode = 1;
  if (frame.type === 'authenticated') send({ type: 'start', language: 'en-US', sample_rate: 16000 });
  if (frame.type !== 'opened') return;
  for (let at = 0; at < audio.length; at += 3200) {
    socket.send(audio.subarray(at, at + 3200)); // 100 ms
    await sleep(100);
  }
  send({ type: 'stop' });
});`;

const PYTHON = `import base64
import json
import os
import socket
import ssl
import struct
import threading
import time
from urllib.parse import urlsplit

url = urlsplit("${SOCKET_URL}/v1/transcribe/ws")
connection = socket.create_connection((url.hostname, url.port or (443 if url.scheme == "wss" else 80)))
if url.scheme == "wss":
    connection = ssl.create_default_context().wrap_socket(connection, server_hostname=url.hostname)
stream = connection.makefile("rb")


def send(opcode, data):  # one masked frame: 1 is text, 2 is audio
    mask = os.urandom(4)
    size = bytes([0x80 | len(data)]) if len(data) < 126 else struct.pack(">BH", 0xFE, len(data))
    masked = bytes(byte ^ mask[index % 4] for index, byte in enumerate(data))
    connection.sendall(bytes([0x80 | opcode]) + size + mask + masked)


def receive():
    opcode, size = stream.read(2)
    if size == 126:
        (size,) = struct.unpack(">H", stream.read(2))
    return opcode & 0x0F, stream.read(size)


def speak():
    with open("clip.wav", "rb") as file:
        file.seek(44)  # 16 kHz PCM behind the header
        while audio := file.read(3200):
            send(2, audio)  # 100 ms
            time.sleep(0.1)
    send(1, json.dumps({"type": "stop"}).encode())


connection.sendall(
    f"GET {url.path} HTTP/1.1\\r\\nHost: {url.netloc}\\r\\nAuthorization: Bearer ${API_KEY}\\r\\n"
    "Connection: Upgrade\\r\\nUpgrade: websocket\\r\\nSec-WebSocket-Version: 13\\r\\n"
    f"Sec-WebSocket-Key: {base64.b64encode(os.urandom(16)).decode()}\\r\\n\\r\\n".encode()
)
status = stream.readline()
if b" 101 " not in status:
    raise SystemExit(status.decode())
while stream.readline().strip():
    pass

frame = {}
while frame.get("type") not in ("done", "error"):
    opcode, data = receive()
    if opcode == 9:  # ping
        send(10, data)
    if opcode == 8:  # close
        raise SystemExit("closed")
    if opcode != 1:
        continue
    frame = json.loads(data)
    print(frame)
    if frame["type"] == "authenticated":
        send(1, json.dumps({"type": "start", "language": "en-US", "sample_rate": 16000}).encode())
    if frame["type"] == "opened":
        threading.Thread(target=speak, daemon=True).start()
if frame["type"] == "error":
    raise SystemExit(1)`;

const CLIENT = `import { readFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
${CLIENT_START}
const live = await client.transcribeLive({ language: 'en-US', sample_rate: 16000 });

async function speak(audio: Buffer) {
  for (let at = 0; at < audio.length; at += 3200) {
    await live.write(audio.subarray(at, at + 3200)); // 100 ms
    await sleep(100);
  }
  live.stop();
}

void speak((await readFile('clip.wav')).subarray(44)); // 16 kHz PCM behind the header
for await (const frame of live) console.log(frame); // ends after the done frame`;

export const SOCKET_SAMPLES: readonly Sample[] = [
  { lang: 'Shell', label: 'nidaa', source: SHELL },
  { lang: 'TypeScript', label: 'TypeScript', source: TYPESCRIPT },
  { lang: 'Python', label: 'Python', source: PYTHON },
  { lang: 'TypeScript', label: 'Client', source: CLIENT },
];
