import type { Output } from '../../src/cli/output.ts';

/** An output that keeps what was written. */
export class MemoryOutput implements Output {
  text = '';
  constructor(
    readonly json = false,
    readonly color = false,
  ) {}
  write(text: string): void {
    this.text += text;
  }
  get lines(): string[] {
    return this.text.split('\n').slice(0, -1);
  }
}
