import { sherpaMissing } from './installed.ts';
import type { ModelState } from './model-files.ts';
import { findModel } from './model-files.ts';
import { ModelProcess, type ModelProcessDeps } from './model-process.ts';
import type { ModelSetup } from './process-protocol.ts';
import type { ModelChoice, SherpaSettings } from './settings.ts';

export interface SherpaDeps extends Omit<ModelProcessDeps, 'idleMs'> {
  /** What the library lacks on this machine; default looks for it. */
  readonly lacking?: () => string | undefined;
}

/** One configured model: looked for on disk until it is there, and then its process. */
export class ModelOf<S extends ModelChoice & { readonly languages?: readonly string[] }> {
  #process: ModelProcess | undefined;

  constructor(
    readonly own: S,
    private readonly use: ModelSetup['use'],
    private readonly settings: SherpaSettings,
    private readonly deps: SherpaDeps,
  ) {}

  serves(language: string): boolean {
    return this.own.languages?.includes(language.slice(0, 2).toLowerCase()) ?? true;
  }

  /** Why it cannot be used now. */
  get why(): string | undefined {
    const process = this.process();
    return typeof process === 'string' ? process : process.why;
  }

  /** Its process, or what it lacks. */
  process(): ModelProcess | string {
    if (this.#process) return this.#process;
    const lacking = (this.deps.lacking ?? sherpaMissing)();
    if (lacking !== undefined) return lacking;
    const found = findModel(this.own, this.settings.modelsDir, this.use === 'vad' ? 'detector' : this.use);
    if (!found.ok) return `engines.sherpa: ${found.why}`;
    const detector = this.#detector();
    if (detector && !detector.ok) return `engines.sherpa.detector: ${detector.why}`;
    const setup: ModelSetup = {
      ...{ use: this.use, model: found.model, threads: this.settings.threads },
      language: this.own.languages?.length === 1 ? this.own.languages[0]! : '',
      ...(detector && { detector: detector.model }),
    };
    const idleMs = this.settings.idleMinutes * 60_000;
    this.#process = new ModelProcess(this.own.model, setup, { ...this.deps, idleMs });
    return this.#process;
  }

  warmUp(): void {
    const process = this.process();
    if (typeof process !== 'string') process.warmUp();
  }

  async close(): Promise<void> {
    await this.#process?.close();
  }

  #detector(): ModelState | undefined {
    const { detector, modelsDir } = this.settings;
    return this.use === 'ears' && detector ? findModel(detector, modelsDir, 'detector') : undefined;
  }
}
