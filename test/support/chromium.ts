import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import WebSocket from 'ws';
import { BROWSER } from './browser-program.ts';

interface Reply {
  readonly id?: number;
  readonly result?: Record<string, unknown>;
  readonly error?: { readonly message: string };
}

/** A browser that says nothing for this long has a fault: the test names it instead of hanging. */
const ANSWER_LIMIT_MS = 30_000;

/** One page of a headless Chromium, driven over the DevTools protocol. Everything it starts ends with `close`. */
export class Chromium {
  readonly #waiting = new Map<number, { resolve(result: Record<string, unknown>): void; reject(error: Error): void }>();
  #lastId = 0;

  private constructor(
    private readonly process: ChildProcess,
    private readonly devtools: WebSocket,
    private readonly profile: string,
  ) {
    devtools.on('message', (data) => {
      const { id = 0, result = {}, error } = JSON.parse(String(data)) as Reply;
      const caller = this.#waiting.get(id);
      this.#waiting.delete(id);
      if (error) caller?.reject(new Error(error.message));
      else caller?.resolve(result);
    });
  }

  /** @param more - flags of its command line. */
  static async start(more: readonly string[] = []): Promise<Chromium> {
    const profile = mkdtempSync(join(tmpdir(), 'nidaa-chromium-'));
    const flags = ['--headless=new', '--no-sandbox', '--disable-gpu', '--disable-dev-shm-usage', '--no-first-run'];
    const args = [
      ...flags,
      ...more,
      '--remote-debugging-port=0',
      `--user-data-dir=${profile}`,
      '--window-size=800,500',
      'about:blank',
    ];
    const child = spawn(BROWSER ?? 'chromium', args, { stdio: ['ignore', 'ignore', 'pipe'] });
    let impatient: NodeJS.Timeout | undefined;
    const origin = await new Promise<string>((resolve, reject) => {
      let said = '';
      impatient = setTimeout(() => {
        child.kill('SIGKILL');
        reject(new Error(`chromium opened no DevTools: ${said}`));
      }, ANSWER_LIMIT_MS);
      child.stderr!.on('data', (chunk) => {
        said += String(chunk);
        const port = /DevTools listening on ws:\/\/127\.0\.0\.1:(\d+)\//.exec(said)?.[1];
        if (port) resolve(`http://127.0.0.1:${port}`);
      });
      child.once('exit', () => reject(new Error(`chromium ended: ${said}`)));
    }).finally(() => clearTimeout(impatient));
    const pages = (await (await fetch(`${origin}/json/list`)).json()) as {
      type: string;
      webSocketDebuggerUrl: string;
    }[];
    const devtools = new WebSocket(pages.find((page) => page.type === 'page')!.webSocketDebuggerUrl);
    await once(devtools, 'open');
    const browser = new Chromium(child, devtools, profile);
    // Since version 156 the window of a headless browser is not the one in front, and the clipboard asks for that.
    await browser.#send('Emulation.setFocusEmulationEnabled', { enabled: true });
    return browser;
  }

  async goTo(url: string): Promise<void> {
    await this.#send('Page.navigate', { url });
  }

  /** The value of an expression in the page; promises are waited for. */
  async evaluate<T>(expression: string): Promise<T> {
    const { result } = await this.#send('Runtime.evaluate', {
      ...{ expression, awaitPromise: true, returnByValue: true, userGesture: true },
    });
    return (result as { value: T }).value;
  }

  /** Waits until an expression is true in the page. */
  async until(expression: string, withinMs = 60_000): Promise<void> {
    const endMs = performance.now() + withinMs;
    while ((await this.evaluate(expression).catch(() => false)) !== true) {
      if (performance.now() > endMs) throw new Error(`${expression} did not come true`);
      await sleep(100);
    }
  }

  async screenshot(path: string): Promise<void> {
    const { data } = await this.#send('Page.captureScreenshot', { format: 'png' });
    writeFileSync(path, Buffer.from(String(data), 'base64'));
  }

  async close(): Promise<void> {
    const ended = once(this.process, 'exit');
    void this.#send('Browser.close', {}).catch(() => {}); // by itself it ends its own processes first: none writes later
    const impatient = setTimeout(() => this.process.kill('SIGKILL'), 10_000);
    await ended;
    clearTimeout(impatient);
    this.devtools.terminate();
    rmSync(this.profile, { recursive: true, force: true, maxRetries: 5 });
  }

  #send(method: string, params: object): Promise<Record<string, unknown>> {
    this.#lastId += 1;
    const id = this.#lastId;
    this.devtools.send(JSON.stringify({ id, method, params }));
    return new Promise<Record<string, unknown>>((resolve, reject) => {
      const impatient = setTimeout(() => {
        this.#waiting.delete(id);
        reject(new Error(`${method} was not answered`));
      }, ANSWER_LIMIT_MS);
      this.#waiting.set(id, {
        resolve: (result) => {
          clearTimeout(impatient);
          resolve(result);
        },
        reject: (error) => {
          clearTimeout(impatient);
          reject(error);
        },
      });
    });
  }
}
