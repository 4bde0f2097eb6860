/** What the engine says where the agent's author wrote nothing. Several wordings: chosen by the turn, never at random. */
export const STOCK = {
  noMatch: {
    en: [
      'Sorry, I did not get that. Could you say it another way?',
      'I am sorry, I still did not understand. You can say, for example: {{examples}}.',
    ],
    ar: ['عذرًا، ما فهمت عليك. ممكن تقولها بطريقة ثانية؟', 'المعذرة، ما وضح لي طلبك. تقدر تقول مثلًا: {{examples}}.'],
  },
  fromDocument: { en: ['It says in {{document}}:'], ar: ['مكتوب في {{document}}:'] },
  fromDocuments: { en: ['It says in our documents:'], ar: ['مكتوب في مستنداتنا:'] },
  noInput: {
    en: ['Are you still there?', 'I cannot hear you. Please say something, or press zero for a person.'],
    ar: ['أنت معي على الخط؟', 'ما أسمعك. تفضل بالكلام، أو اضغط صفر للموظف.'],
  },
  slotAgain: {
    en: ['Sorry, I did not catch that.', 'I am sorry, once more please.'],
    ar: ['عذرًا، ما سمعتها زين.', 'المعذرة، مرة ثانية لو سمحت.'],
  },
  didYouMean: { en: ['Did you mean {{a}}, or {{b}}?'], ar: ['تقصد {{a}}، أو {{b}}؟'] },
  didYouMeanOne: { en: ['Did you mean {{a}}?'], ar: ['تقصد {{a}}؟'] },
  didYouAsk: { en: ['Is your question: {{a}}?'], ar: ['سؤالك: {{a}}؟'] },
  confirmValue: { en: ['I heard {{value}}. Is that right?'], ar: ['سمعت {{value}}. صحيح؟'] },
  sayYesOrNo: { en: ['Please say yes or no.'], ar: ['قل نعم أو لا، لو سمحت.'] },
  whatToChange: {
    en: ['Sure. What should I change?', 'All right. What would you like to change?'],
    ar: ['أبشر. وش تبي تغيّر؟', 'تمام. أي شي أعدّل لك؟'],
  },
  changed: { en: ['Got it.', 'All right, changed.'], ar: ['تم، عدّلتها.', 'أبشر، عدّلتها.'] },
  flowCancelled: {
    en: ['Okay, I left that. What else can I do for you?'],
    ar: ['تمام، تركناها وما تغيّر شي. وش تحب أسوي لك غيرها؟'],
  },
  leftAsIs: {
    en: ['All right, everything stays as it is.'],
    ar: ['تمام، كل شي يبقى مثل ما هو.'],
  },
  firstThen: { en: ['First {{a}}, then {{b}}.'], ar: ['أول شي {{a}}، وبعدها {{b}}.'] },
  nowTo: { en: ['Now to {{a}}.'], ar: ['الحين {{a}}.'] },
  doneAlready: {
    en: ['I have done that for you already. Is there anything else?'],
    ar: ['هذي سويتها لك خلاص. تبي شي ثاني؟'],
  },
  firstThenOther: {
    en: ['First {{a}}, then I come back to the other thing.'],
    ar: ['أول شي {{a}}، وبعدها أرجع لطلبك الثاني.'],
  },
  backToOther: { en: ['Now to the other thing.'], ar: ['نرجع لطلبك الثاني.'] },
  whatOther: {
    en: ['You mentioned something else as well. What should I do there?'],
    ar: ['وذكرت شي ثاني بعد. وش تبي أسوي فيه؟'],
  },
  neededFor: { en: ['I need it for {{a}}.'], ar: ['أحتاجه عشان {{a}}.'] },
  digitsSoFar: { en: ['{{digits}}, and then?'], ar: ['{{digits}}، كمّل لو سمحت.'] },
  beforeThat: {
    en: ['Of course, I wait with that. What would you like to know first?'],
    ar: ['أكيد، ما راح أسوي شي الحين. وش تبي تعرف قبل؟'],
  },
  sorryToHear: { en: ['I am very sorry about that.'], ar: ['نعتذر منك جدًا على اللي صار.'] },
  emergency: {
    en: ['If somebody is in danger, please call the emergency number 911 right now.'],
    ar: ['إذا فيه خطر على أحد، اتصل حالًا على الطوارئ 911.'],
  },
  nothingToCancel: { en: ['Okay. What can I do for you?'], ar: ['تمام. كيف أقدر أخدمك؟'] },
  transfer: { en: ['One moment, I will connect you.'], ar: ['لحظات، بحوّلك على الموظف.'] },
  noTransfer: {
    en: ['I am sorry, nobody is available to take the call. Is there something I can help with?'],
    ar: ['المعذرة، ما فيه موظف متاح الآن. أقدر أساعدك بشي؟'],
  },
  nobodyThere: {
    en: ['I am sorry, nobody is available to take the call.'],
    ar: ['المعذرة، ما فيه موظف متاح الآن.'],
  },
  giveUp: { en: ['I am sorry I could not help this time.'], ar: ['أعتذر منك، ما قدرت أخدمك هالمرة.'] },
  goodbye: { en: ['Thank you for calling. Goodbye.'], ar: ['شكرًا لاتصالك، مع السلامة.'] },
  hello: {
    en: ['Hello! How can I help you?', 'Hi there! What can I do for you?'],
    ar: ['يا هلا فيك! كيف أقدر أخدمك؟', 'حياك الله! وش أقدر أسوي لك؟'],
  },
  inLanguage: { en: ['Of course. How can I help you?'], ar: ['أبشر. كيف أقدر أخدمك؟'] },
  inLanguageOn: { en: ['Of course.'], ar: ['أبشر.'] },
  helloInFlow: { en: ['Hello again.'], ar: ['يا هلا.'] },
  thanks: {
    en: ['You are welcome. Anything else?', 'My pleasure. Is there anything else?'],
    ar: ['العفو. تحب أخدمك بشي ثاني؟', 'حياك الله. فيه شي ثاني؟'],
  },
  thanksInFlow: { en: ['You are welcome.'], ar: ['العفو.'] },
  howAreYou: { en: ['I am doing well, thank you. How can I help?'], ar: ['بخير الله يسلمك. كيف أقدر أخدمك؟'] },
  whoAreYou: {
    en: ['I am the automatic assistant on this line. I can help with {{examples}}.'],
    ar: ['أنا المساعد الآلي على هذا الخط. أقدر أساعدك في {{examples}}.'],
  },
  help: { en: ['I can help with {{examples}}. What would you like?'], ar: ['أقدر أساعدك في {{examples}}. وش تحب؟'] },
  wait: { en: ['Of course, take your time.'], ar: ['خذ راحتك، أنا معك.'] },
  goOn: { en: ['Sure, go ahead.'], ar: ['تفضل، أسمعك.'] },
  nothingElse: { en: ['All right.'], ar: ['تمام.'] },
  dontKnow: { en: ['I am sorry, I do not have that information.'], ar: ['المعذرة، ما عندي هذي المعلومة.'] },
  orPerson: {
    en: ['If you like, say agent, and I will put you through to a person.'],
    ar: ['إذا تحب، قل موظف، وأحوّلك على شخص يساعدك.'],
  },
  todayIs: { en: ['Today is {{day}}.'], ar: ['اليوم {{day}}.'] },
  wholeName: { en: ['And the full name, please?'], ar: ['عطني الاسم الكامل لو سمحت؟'] },
  noneSuch: { en: ['I am sorry, I find nothing that fits both of these.'], ar: ['المعذرة، ما لقيت شي يطابق الاثنين.'] },
  onlyOwner: {
    en: ['I am sorry. To protect our customers, I can only do this for the person it belongs to.'],
    ar: ['المعذرة منك، حفاظًا على الخصوصية ما أقدر أسوي هالشي إلا لصاحبه.'],
  },
  anythingElse: { en: ['Is there anything else?'], ar: ['تبي شي ثاني؟'] },
  toolTrouble: {
    en: ['Sorry, I could not reach the system just now. Please try again later.'],
    ar: ['عذرًا، ما قدرت أوصل للنظام الآن. جرّب بعد قليل لو سمحت.'],
  },
  toolMoment: { en: ['One moment, please.'], ar: ['لحظة من فضلك.'] },
  toolDone: { en: ['That is done. Is there anything else?'], ar: ['تم. تحب أخدمك بشي ثاني؟'] },
  askSlot: { en: ['What is the {{slot}}?'], ar: ['عطني {{slot}} لو سمحت.'] },
  pressFor: { en: ['For {{label}}, press {{key}}.'], ar: ['{{label}}، اضغط {{key}}.'] },
  menuTail: {
    en: ['To speak to a person, press zero. To hear this again, press nine.'],
    ar: ['للموظف اضغط صفر، ولإعادة الخيارات اضغط تسعة.'],
  },
  menuMore: {
    en: ['For more, press nine. To speak to a person, press zero.'],
    ar: ['لخيارات أكثر اضغط تسعة، وللموظف اضغط صفر.'],
  },
  menuAgain: {
    en: ['Please use the keys: nine for the choices, zero for a person.'],
    ar: ['استخدم الأزرار لو سمحت: تسعة للخيارات، وصفر للموظف.'],
  },
  keysOnly: { en: ['On this line I take keys only.'], ar: ['هذا الخط بالأزرار فقط.'] },
  wrongKey: { en: ['Sorry, that key is not one of the choices.'], ar: ['عذرًا، هذا الرقم ليس من الخيارات.'] },
  pressYesNo: { en: ['Press one for yes, or two for no.'], ar: ['اضغط واحد لنعم، أو اثنين للا.'] },
  keyDigits: { en: ['Please key it in, then press hash.'], ar: ['أدخل الرقم ثم اضغط مربع.'] },
  keyExactly: { en: ['Please key it in.'], ar: ['أدخله من لوحة الأرقام.'] },
  keyTime: {
    en: ['Key in the hour, for example one six three zero for half past four, then press hash.'],
    ar: ['أدخل الوقت بأربعة أرقام، مثل واحد ستة ثلاثة صفر للرابعة والنصف عصرًا، ثم اضغط مربع.'],
  },
} as const satisfies Record<string, { readonly en: readonly string[]; readonly ar: readonly string[] }>;

export type StockPhrase = keyof typeof STOCK;

/** Digits of a keypad as they are said. */
export const KEY_WORDS: { readonly en: readonly string[]; readonly ar: readonly string[] } = {
  en: ['zero', '1', '2', '3', '4', '5', '6', '7', '8', '9'],
  ar: ['صفر', 'واحد', 'اثنين', 'ثلاثة', 'أربعة', 'خمسة', 'ستة', 'سبعة', 'ثمانية', 'تسعة'],
};

/** Languages in menus. */
export const LANGUAGE_LABELS = {
  ar: { en: 'Arabic', ar: 'العربية' },
  en: { en: 'English', ar: 'الإنجليزية' },
} as const;
