const voice = {
  ...{ id: 'noura', name: 'نورة', gender: 'female', age: '18-30', language: 'ar-SA', dialect: 'najdi' },
  ...{ country: 'Saudi Arabia', styles: ['Professional', 'Casual'], description: 'A clear young voice.' },
  supported_models: ['sada-1', 'nabra-1'],
  sample_request: { text: 'هلا والله، معك نورة.', voice: 'noura', model: 'sada-1', format: 'mp3' },
};

const agent = {
  ...{ id: 'agt_5xq2k7w3n4b6c2d7e3fa', name: 'Clinic', voice_id: 'noura', model: 'sada-1', language: 'ar-SA' },
  ...{ status: 'live', updated_at: '2026-01-02T03:04:05.678Z' },
};

/** Examples of the answers whose shapes have no name, by operation. */
export const ANSWER_EXAMPLES: Readonly<Record<string, unknown>> = {
  listAgents: { agents: [agent] },
  listVoices: { voices: [voice] },
  listModels: {
    models: [
      { id: 'sada-1', honours_pitch: false, streaming: true, price_cents_per_1000_chars: 5 },
      { id: 'nabra-1', honours_pitch: true, streaming: false, price_cents_per_1000_chars: 10 },
    ],
  },
};

/** One example of every named shape, for the reference; a test checks each against its schema. */
export const EXAMPLES: Readonly<Record<string, unknown>> = {
  Error: { error: { code: 'empty_text', message: 'Text is required.' } },
  Agent: agent,
  Voice: voice,
  Turn: { text: 'Hello, how can I help you?', role: 'agent' },
  ReplyRequest: {
    text: 'أبغى أحجز موعد',
    history: [{ text: 'حياك الله، كيف أخدمك؟', role: 'agent' }],
    variables: { name: 'سارة' },
    audio: false,
  },
  Reply: {
    ...{ reply: 'أبشر، في أي يوم؟', greeting: 'حياك الله يا سارة، كيف أخدمك؟', audio: null, content_type: null },
    cost_cents: 2,
  },
  SpeechRequest: { text: 'مرحبا بك', voice: 'noura', model: 'sada-1', format: 'mp3' },
  SpeechStreamRequest: { text: 'مرحبا بك', voice: 'noura', model: 'sada-1', format: 'opus' },
  RedactRequest: { text: 'رقم هويتي 1010101010' },
  PrivacyReport: {
    redacted: 'رقم هويتي [National ID]',
    findings: [{ kind: 'National ID', value: '1010101010', action: 'redact', why: 'Identifies a person.' }],
    ...{ verdict: 'redact', cost_cents: 4 },
  },
  CoverageRequest: { text: 'افحص المضخة P-101A' },
  CoverageReport: {
    ...{ language: 'ar', token_count: 3, flagged_count: 1, coverage: 0.6667 },
    flagged: [{ token: 'P-101A', reason: 'asset_tag', hint: 'Spell it out as it should be said.' }],
  },
  NormalizeRequest: { text: 'المبلغ 250 ريال', language: 'ar' },
  NormalizedText: {
    original: 'المبلغ 250 ريال',
    normalized: 'المبلغ مئتان وخمسون ريالاً',
    language: 'ar',
    replacements: [{ from: '250 ريال', to: 'مئتان وخمسون ريالاً' }],
  },
  TranscribeRequest: { file: 'UklGRiQAAABXQVZF', mime_type: 'audio/wav', language: 'ar-SA' },
  TranscribeForm: { file: '(bytes)', language: 'ar-SA' },
  Transcript: { text: 'where is my order', seconds: 2.07, confidence: 0.86, cost_cents: 3 },
  AskRequest: { file: 'SGVsbG8=', mime_type: 'text/plain', question: 'How many days of leave are there?' },
  AskForm: { file: '(bytes)', question: 'How many days of leave are there?' },
  Answer: { answer: 'Thirty days.', quotes: ['Annual leave is thirty days.'], answered: true, cost_cents: 4 },
  TalkTokenRequest: { from: 'web', variables: { name: 'Noura' } },
  SocketToken: {
    token: 'service_st_B9R9cxxZhfOIckMM05yR8IGG1f8Tx5IH64cxeJTHyT4',
    expires_at: '2026-01-02T03:05:05.678Z',
  },
};
