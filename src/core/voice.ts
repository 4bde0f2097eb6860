/** A voice of the catalogue (`config/voices.yaml`), as the public API shows it, plus what the synthesiser is told. */
export interface Voice {
  readonly id: string;
  readonly name: string;
  readonly gender: 'female' | 'male';
  readonly age: '18-30' | '30-50' | '60+';
  readonly language: string; // ar-SA, en-US
  readonly dialect: 'najdi' | 'hijazi' | 'gulf' | 'egyptian' | 'msa' | 'none';
  readonly country: string;
  readonly styles: readonly ('Professional' | 'Formal' | 'Casual' | 'Energetic')[];
  readonly description: string;
  /** The same in Arabic, for the console. */
  readonly descriptionAr?: string;
  readonly supportedModels: readonly string[];
  readonly sampleText: string;
  /** What each service needs to sound like this voice, by its name; shaped as its folder says. */
  readonly providers?: Readonly<Record<string, unknown>>;
  /** For the embedded synthesiser: voice name with variant, base pitch 0..99, words a minute. */
  readonly espeak: { readonly voice: string; readonly pitch: number; readonly wordsPerMinute: number };
}
