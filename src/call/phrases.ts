import type { Language } from '../core/agent.ts';

/** What the gateway itself says when an agent cannot. Short, plain, and never a promise. */
export const PHRASES = {
  trouble: {
    en: 'Sorry, I had a problem just now. Could you say that again?',
    ar: 'عذرًا، صار عندي خلل بسيط. ممكن تعيد كلامك؟',
  },
  tooQuiet: {
    en: 'I can hardly hear you. Could you speak a little louder, please?',
    ar: 'صوتك يوصلني ضعيف. ممكن ترفع صوتك شوي؟',
  },
  oneMoment: { en: 'One moment.', ar: 'لحظة من فضلك.' },
  giveUp: {
    en: 'Sorry, I am having technical trouble. Please call again a little later. Goodbye.',
    ar: 'عذرًا، عندنا مشكلة تقنية. نرجو الاتصال بعد قليل. مع السلامة.',
  },
  nobodyThen: {
    en: 'Sorry, nobody could take the call right now.',
    ar: 'عذرًا، ما قدرنا نوصلك بالموظف الآن.',
  },
  personBusy: { en: 'Sorry, the line is busy right now.', ar: 'عذرًا، الخط مشغول الآن.' },
  personAway: { en: 'Sorry, nobody answered.', ar: 'عذرًا، ما رد علينا أحد.' },
  personLeft: { en: 'You are back with me.', ar: 'رجعت معي.' },
  // After one of these: somebody else is tried, the talk goes on where it was, or from the beginning.
  nextPerson: { en: 'I am trying somebody else.', ar: 'بجرّب شخص ثاني.' },
  // To who waits for a person for long.
  backByKey: {
    en: 'I am still trying. To come back to me, press star.',
    ar: 'ما زلت أحاول أوصلك. إذا تبي ترجع لي، اضغط نجمة.',
  },
  backToTalk: { en: 'Let us go on.', ar: 'نكمل مع بعض.' },
  anythingElse: { en: 'Can I help with something else?', ar: 'تبي أساعدك بشي ثاني؟' },
  // To the person.
  acceptKeys: {
    en: 'Press one to take the call, or two to decline.',
    ar: 'اضغط واحد عشان تاخذ المكالمة، أو اثنين إذا ما تقدر.',
  },
  acceptWords: {
    en: 'Say yes or press one to take the call. Say no or press two to decline.',
    ar: 'قل نعم أو اضغط واحد عشان تاخذ المكالمة، وقل لا أو اضغط اثنين إذا ما تقدر.',
  },
  callerWaits: { en: 'A caller for you.', ar: 'عندي متصل لك.' },
  timeUp: {
    en: 'We have reached the end of the time for this call. Thank you for calling. Goodbye.',
    ar: 'انتهى الوقت المخصص للمكالمة. شكرًا لاتصالك، مع السلامة.',
  },
  nobodyThere: {
    en: 'I cannot hear you, so I will end the call now. Goodbye.',
    ar: 'ما أسمعك، فبنهي المكالمة الآن. مع السلامة.',
  },
} as const satisfies Record<string, Record<Language, string>>;

export type Phrase = keyof typeof PHRASES;
