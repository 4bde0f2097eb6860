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
  readonly supportedModels: readonly string[];
  readonly sampleText: string;
  /** What each synthesiser needs to sound like this voice; `espeak`: voice name with variant, base pitch 0..99, words a minute. */
  readonly espeak: { readonly voice: string; readonly pitch: number; readonly wordsPerMinute: number };
}
