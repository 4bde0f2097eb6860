/** What the turn-taking bench tries. Every group counts what went wrong. */
import { clips } from '../recognition/voices.mjs';
import { call } from './call.mjs';
import { atLevel, joined, mixed, noise, silence } from './simulated-line.mjs';
import { agentSpeech, babble, callerSpeech, clipSpeech, track } from './voices.mjs';

const LANGUAGES = ['en', 'ar'];
const GREETING = {
  en: 'Hello and welcome to Fast Delivery. You can ask me about your order, about our opening hours, or about the price of a parcel. How can I help you today?',
  ar: 'أهلا وسهلا فيك في التوصيل السريع. تقدر تسألني عن طلبك أو عن أوقات الدوام أو عن سعر الشحنة. كيف أقدر أساعدك اليوم؟',
};
const ANSWER = { en: 'Thank you, I have noted that for you.', ar: 'شكرا لك، سجلت هذا عندي.' };
const PHRASES = [
  ...['where is my order', 'track my order', 'cancel my order', 'change my address', 'talk to a human'],
  ...[
    'what are your opening hours',
    'how long does a refund take',
    'where do you deliver',
    'stop',
    'no wait',
    'goodbye',
  ],
  ...['help', 'yes', 'no', ...new Set(clips().flatMap((clip) => (clip.kind === 'phrase' ? [clip.transcript] : [])))],
];
const HINTS = { phrases: PHRASES, expect: ['digits', 'yesno'] };
const ARABIC_HINTS = {
  phrases: ['وين طلبي', 'ابغى الغي الطلب', 'كلم الموظف', 'كم سعر الشحنة', 'متى تفتحون', 'غير عنواني'],
  expect: ['digits', 'yesno'],
};
const DIGITS = { maxDigits: 4, terminator: '#', timeoutMs: 3000 };

const base = (language) => ({
  ...{ language, hints: language === 'ar' ? ARABIC_HINTS : HINTS, speech: agentSpeech, answer: ANSWER[language] },
  greeting: GREETING[language],
});
const hear = (language, hearings, script) => hearings[language](script ?? []);
/** A greeting over which nothing may happen. */
async function undisturbed({ language, caller, script, echo, floorDb, seconds }, hearings) {
  const scene = { ...base(language), caller, echo, floorDb, hearing: hear(language, hearings, script) };
  const greetingS = agentSpeech(scene.greeting, language).length / 8000;
  const result = await call({ ...scene, seconds: seconds ?? greetingS + 2.5 });
  const heardWhole = result.said.join(' ') === scene.greeting && result.interruptions.length === 0;
  const turns = result.requests.filter(({ input }) => input === 'speech');
  return {
    bad: !heardWhole || turns.length > 0,
    note: heardWhole && turns.length === 0 ? '' : `cut at ${result.interruptions} turns ${JSON.stringify(turns)}`,
  };
}

function echoes(language) {
  const all = [];
  for (const lossDb of [10, 15, 20, 25, 30, 35, 40]) {
    for (const delayMs of [20, 60, 100, 150, 200, 300, 400]) {
      const room = all.length % 2 === 1;
      all.push({
        name: `-${lossDb} dB ${delayMs} ms${room ? ' room' : ''}`,
        language,
        echo: { lossDb, delayMs, room },
      });
    }
  }
  return [...all, { name: '-12 dB 250 ms', language, echo: { lossDb: 12, delayMs: 250, room: true } }];
}

function noises() {
  const over = (name, parts) => LANGUAGES.map((language) => ({ name, language, caller: joined(...parts) }));
  return [
    ...[-50, -40, -32].flatMap((db) => LANGUAGES.map((language) => ({ name: `line ${db} dB`, language, floorDb: db }))),
    ...over('noise sets in, -35 dB', [silence(2000), noise(6000, -35)]),
    ...over('noise sets in, -25 dB', [silence(2000), noise(6000, -25)]),
    ...over('door', [silence(2000), noise(120, -12)]),
    ...over('three knocks', [
      silence(2000),
      noise(80, -12),
      silence(250),
      noise(80, -12),
      silence(250),
      noise(80, -12),
    ]),
    ...over('cough', [silence(2000), noise(350, -20), silence(150), noise(250, -24)]),
    ...over('breath', [silence(1500), noise(700, -38), silence(1500), noise(700, -38)]),
  ];
}

const READ = [
  'read/lv_0890.wav',
  'read/lv_0930.wav',
  'read/LJ006-0161.wav',
  'read/LJ011-0202.wav',
  'read/LJ042-0094.wav',
];
const babbles = () =>
  [-45, -38, -32, -26].flatMap((db) =>
    LANGUAGES.map((language) => ({ name: `${db} dB`, language, caller: atLevel(babble(14, READ), db) })),
  );

/** After a question of the caller's, so that it is known how loud they speak: what comes over the answer to it. */
const ASKED = { en: 'where is my order', ar: 'وين طلبي' };
function inAnswer(language, name, afterMs, part) {
  const asked = { text: ASKED[language], speech: callerSpeech(ASKED[language], language, 0) };
  const startMs = 800 + asked.speech.length / 8 + afterMs;
  return { name, language, ...track(800, asked, { ...part, pauseMs: afterMs }), atMs: startMs };
}
const behind = () =>
  [-26, -30, -36].flatMap((db) =>
    LANGUAGES.flatMap((language) =>
      [
        ['many', babble(6, READ)],
        ['one', clipSpeech('read/LJ006-0161.wav')],
      ].map(([who, speech]) => inAnswer(language, `${who} ${db} dB`, 1800, { text: '', speech: atLevel(speech, db) })),
    ),
  );
/** A call whose answer is long. @returns what cut it. */
async function answered({ language, caller, script, endMs }, hearings) {
  const scene = {
    ...base(language),
    greeting: language === 'ar' ? 'أهلا' : 'Hello',
    answer: GREETING[language],
    caller,
  };
  return call({ ...scene, hearing: hear(language, hearings, script), seconds: endMs / 1000 + 3 });
}
async function answerUndisturbed(one, hearings) {
  const { interruptions, requests } = await answered(one, hearings);
  const turns = requests.filter(({ input }) => input === 'speech');
  const bad = interruptions.length > 0 || turns.length > 1;
  return { bad, note: bad ? `cut at ${interruptions} (from ${one.atMs}) turns ${JSON.stringify(turns)}` : '' };
}
async function answerInterrupted(one, hearings) {
  const { interruptions } = await answered(one, hearings);
  const when = interruptions.find((cutMs) => cutMs >= one.atMs);
  const tookMs = when === undefined ? undefined : when - one.atMs;
  const bad = tookMs === undefined || tookMs >= 900;
  return { bad, timesMs: tookMs === undefined ? [] : [tookMs], note: bad ? `${tookMs}` : '' };
}
const overAnswer = (language, texts) =>
  texts.flatMap((text) =>
    [0, 1].map((voice) =>
      inAnswer(language, `${text} (${voice})`, 2000, { text, speech: callerSpeech(text, language, voice) }),
    ),
  );

const BACKCHANNELS = {
  en: ['okay', 'uh huh', 'um hum, right', 'yeah', 'right', 'okay okay', 'sure', 'I see', 'yes yes', 'um hum'],
  ar: ['ايوه', 'طيب', 'تمام', 'اها', 'ايه ايه', 'طيب تمام', 'اوكي', 'نعم', 'صح', 'ممتاز'],
};
const over = (language, texts, atMs, extra = {}) =>
  texts.flatMap((text) =>
    [0, 1].map((voice) => {
      const speech = callerSpeech(text, language, voice);
      return { name: `${text} (${voice})`, language, ...track(atMs, { text, speech }), atMs, ...extra };
    }),
  );

const INTERRUPTIONS = {
  en: [
    'stop',
    'no wait',
    'where is my order',
    'talk to a human',
    'cancel my order',
    'I am calling about the roof of my house',
  ],
  ar: ['لحظة', 'لا وقف', 'وين طلبي', 'كلم الموظف', 'ابغى الغي الطلب', 'اسمعني عندي مشكلة ثانية'],
};
/** Must be heard; the time is from the first sound to the silence of the agent. */
async function interrupted({ language, caller, script, echo, atMs, floorDb }, hearings) {
  const scene = { ...base(language), caller, echo, floorDb, hearing: hear(language, hearings, script) };
  const result = await call({ ...scene, seconds: atMs / 1000 + 4 });
  const when = result.interruptions.find((cutMs) => cutMs >= atMs);
  const early = result.interruptions.some((cutMs) => cutMs < atMs);
  const tookMs = when === undefined ? undefined : when - atMs;
  const bad = early || tookMs === undefined || tookMs >= 900;
  return {
    bad,
    timesMs: tookMs === undefined ? [] : [tookMs],
    note: bad ? `${early ? 'too early ' : ''}${tookMs}` : '',
  };
}

/** Sentences as they are in the fixtures, breaths and all: answered once, after their end. */
function sentences() {
  return clips()
    .filter(({ kind }) => ['phrase', 'order', 'read', 'command'].includes(kind))
    .map(({ file, transcript }) => ({
      ...{ name: file, language: 'en' },
      ...track(800, { text: transcript ?? '', speech: clipSpeech(file) }),
    }));
}
const SAID = {
  en: PHRASES.slice(0, 8),
  ar: [...ARABIC_HINTS.phrases, 'كم رسوم التوصيل لمدينة جدة', 'عندي شكوى على المندوب'],
};
const known = (language) =>
  [0, 1].flatMap((voice) =>
    SAID[language].map((text) => ({
      ...{ name: `${text} (${voice})`, language },
      ...track(800, { text, speech: callerSpeech(text, language, voice) }),
    })),
  );
const unknown = (language) =>
  language === 'ar'
    ? [0, 1].flatMap((voice) =>
        SAID.ar.map((text) => ({
          ...{ name: text, language },
          ...track(800, { text: '', speech: callerSpeech(text, 'ar', voice) }),
        })),
      )
    : sentences().filter(({ name }) => name.startsWith('read') || name.startsWith('orders'));

/** A call in which the caller speaks first; the greeting is one word. */
async function spokenCall(one, hearings, extra = {}) {
  const { language, caller, script, endMs } = one;
  const scene = { ...base(language), greeting: language === 'ar' ? 'أهلا' : 'Hello', caller, ...extra };
  return call({ ...scene, hearing: hear(language, hearings, script), seconds: endMs / 1000 + (extra.afterS ?? 3.5) });
}
async function answeredOnce(one, hearings) {
  const { requests } = await spokenCall(one, hearings);
  const early = requests.filter(({ atMs }) => atMs < one.endMs);
  return { bad: early.length > 0, note: early.length > 0 ? `${JSON.stringify(early)} end ${one.endMs}` : '' };
}
const answerTime = (wantsText) => async (one, hearings) => {
  const { sounded, requests } = await spokenCall(one, hearings);
  const request = requests.find(({ atMs, input }) => atMs >= one.endMs && input === 'speech');
  if (!request || (request.text !== '') !== wantsText) return { bad: wantsText, note: JSON.stringify(requests) };
  const first = sounded.find(({ atMs }) => atMs >= Math.max(one.endMs, request.atMs));
  return { bad: first === undefined, timesMs: first ? [first.atMs - one.endMs] : [], note: '' };
};

const DIGIT_FILES = (who, digits) =>
  joined(...[...digits].flatMap((d) => [clipSpeech(`digits/${d}_${who}_0.wav`), silence(60)]));
function joins() {
  const all = [];
  for (const pauseMs of [600, 900, 1300, 1700]) {
    for (const [first, second] of [
      ['where is', 'my order'],
      ['cancel', 'my order'],
      ['I want to', 'cancel my order'],
    ]) {
      const parts = [first, second].map((text, i) => ({
        text,
        speech: callerSpeech(text, 'en', 0),
        pauseMs: i * pauseMs,
      }));
      all.push({ name: `${first} / ${second} ${pauseMs}`, language: 'en', ...track(800, ...parts) });
    }
    for (const who of ['george', 'jackson']) {
      const parts = ['45', '21'].map((text, i) => ({ text, speech: DIGIT_FILES(who, text), pauseMs: i * pauseMs }));
      all.push({ name: `45 / 21 ${who} ${pauseMs}`, language: 'en', collect: DIGITS, ...track(800, ...parts) });
    }
    for (const [first, second] of [
      ['ابغى', 'الغي الطلب'],
      ['وين', 'طلبي'],
      ['عندي سؤال عن', 'سعر الشحنة'],
    ]) {
      const parts = [first, second].map((text, i) => ({
        text,
        speech: callerSpeech(text, 'ar', 0),
        pauseMs: i * pauseMs,
      }));
      all.push({ name: `${first} / ${second} ${pauseMs}`, language: 'ar', ...track(800, ...parts) });
    }
    const parts = ['45', '21'].map((text, i) => ({
      text,
      speech: callerSpeech([...text].join(' '), 'ar', 0),
      pauseMs: i * pauseMs,
    }));
    all.push({ name: `45 / 21 ar ${pauseMs}`, language: 'ar', collect: DIGITS, ...track(800, ...parts) });
  }
  return all;
}
async function joinedUp(one, hearings) {
  const { requests } = await spokenCall(one, hearings, { ...(one.collect && { collect: one.collect }), afterS: 4 });
  const early = requests.filter(({ atMs }) => atMs < one.endMs);
  return { bad: early.length > 0, note: early.length > 0 ? JSON.stringify(requests) : '' };
}

const quiet = (db) => () =>
  ['en', 'ar'].flatMap((language) =>
    SAID[language].slice(0, 6).map((text) => ({
      ...{ name: text, language },
      ...track(800, { text, speech: atLevel(callerSpeech(text, language, 0), db) }),
      floorDb: -60,
    })),
  );
async function heardQuietly(one, hearings) {
  const { requests } = await spokenCall(one, hearings, { floorDb: one.floorDb });
  const first = requests.find(({ input }) => input === 'speech');
  return { bad: !first || first.text === '', note: JSON.stringify(requests) };
}

/** Nothing may be said to have been misunderstood while the words are still on their way. */
async function slowlyHeard(one, hearings) {
  const { requests, said } = await spokenCall(one, hearings, { finalMs: 4000, afterS: 9 });
  const speech = requests.filter(({ input }) => input === 'speech');
  const good = speech.length === 1 && speech[0].text !== '';
  return { bad: !good, note: good ? '' : JSON.stringify([requests, said]) };
}

const both = (name, kind, make, run) =>
  LANGUAGES.map((language) => ({ name: `${name}, ${language}`, kind, make: () => make(language), run }));

/** People talk behind the caller all the time: the question has an end all the same. */
const inCompany = () =>
  [-35, -38, -42, -46].flatMap((db) =>
    ['where is my order', 'cancel my order', 'what are your opening hours'].map((text) => {
      const asked = track(2500, { text, speech: callerSpeech(text, 'en', 0) });
      const behindThem = atLevel(babble(10, READ), db).subarray(0, Math.round((asked.endMs + 3500) * 8));
      return { ...asked, name: `${text}, ${db} dB`, language: 'en', caller: mixed(asked.caller, behindThem) };
    }),
  );
async function answeredInCompany(one, hearings) {
  const { requests } = await spokenCall(one, hearings);
  const request = requests.find(({ atMs, input }) => atMs >= one.endMs && input === 'speech');
  const tookMs = request && request.atMs - one.endMs;
  return { bad: !request || tookMs > 1500, timesMs: request ? [tookMs] : [], note: JSON.stringify(requests) };
}

export const scenes = [
  ...both('greetings cut by their echo', 'echo', echoes, undisturbed),
  { name: 'greetings cut by noise', kind: 'noise', make: noises, run: undisturbed },
  { name: 'greetings cut by babble', kind: 'babble', make: babbles, run: undisturbed },
  ...both('greetings cut by a backchannel', 'backchannel', (l) => over(l, BACKCHANNELS[l], 2000), undisturbed),
  ...both(
    'interruptions missed or later than 900 ms',
    'interrupt',
    (l) => over(l, INTERRUPTIONS[l], 2500),
    interrupted,
  ),
  ...both(
    'the same over an echo of -15 dB, 150 ms',
    'interrupt-echo',
    (l) => over(l, INTERRUPTIONS[l], 2500, { echo: { lossDb: 15, delayMs: 150, room: true } }),
    interrupted,
  ),
  { name: 'answers cut by talk behind the caller', kind: 'behind', make: behind, run: answerUndisturbed },
  ...both(
    'answers cut by a backchannel',
    'answer-backchannel',
    (l) => overAnswer(l, BACKCHANNELS[l]),
    answerUndisturbed,
  ),
  ...both(
    'answers interrupted never or after 900 ms',
    'answer-interrupt',
    (l) => overAnswer(l, INTERRUPTIONS[l]),
    answerInterrupted,
  ),
  { name: 'sentences of the fixtures cut off', kind: 'cut', make: sentences, run: answeredOnce },
  { name: 'two halves not joined', kind: 'join', make: joins, run: joinedUp },
  { name: 'questions in company not answered', kind: 'company', make: inCompany, run: answeredInCompany },
  ...both('sound to sound, understood (count: not understood)', 'time', known, answerTime(true)),
  ...both('sound to sound, not understood', 'time-unknown', unknown, answerTime(false)),
  { name: 'callers at -30 dBFS not heard', kind: 'quiet', make: quiet(-30), run: heardQuietly },
  { name: 'callers at -38 dBFS not heard', kind: 'quiet', make: quiet(-38), run: heardQuietly },
  { name: 'verdicts before a final 4 s late', kind: 'slow', make: () => known('en').slice(0, 8), run: slowlyHeard },
];
