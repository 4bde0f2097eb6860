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
  backToTalk: {
    en: 'Sorry, nobody could take the call right now. Let us go on.',
    ar: 'عذرًا، ما قدرنا نوصلك بالموظف الآن. نكمل مع بعض.',
  },
  transferFailed: {
    en: 'Sorry, nobody could take the call right now. Can I help with something else?',
    ar: 'عذرًا، ما قدرنا نوصلك بالموظف الآن. تبي أساعدك بشي ثاني؟',
  },
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
