import { parse } from 'yaml';
import type { AgentDefinition, Language } from '../core/agent.ts';

/** What a new agent is made with. */
export interface NewAgent {
  readonly name: string;
  readonly number: string;
  readonly voice: string;
  /** The schema file for editors, as a path from the agent file. */
  readonly schema: string;
}

/** A small agent that works as it stands: it takes a message, answers a question and hands over to a person. */
export function agentTemplate(language: Language, agent: NewAgent): string {
  const head = `# yaml-language-server: $schema=${agent.schema}
number: "${agent.number}"
name: ${JSON.stringify(agent.name)}
`;
  const spoken = JSON.stringify(agent.name).slice(1, -1); // it stands between quotes
  return `${head}${TEXTS[language].replaceAll('NAME', () => spoken).replace('VOICE', () => agent.voice)}`;
}

/** The same as a definition, without a number. */
export function starterDefinition(language: Language, name: string, voice: string): AgentDefinition {
  const {
    number: _number,
    status: _status,
    ...definition
  } = parse(agentTemplate(language, { name, voice, number: '0', schema: '' })) as AgentDefinition & { number: string };
  return definition;
}

const TEXTS: Readonly<Record<Language, string>> = {
  en: `language: en-US
voice: VOICE
model: sada-1
status: live
greeting:
  en: "Hello, this is NAME. How can I help you?"

intents:
  - name: message
    label: { en: leaving a message }
    flow: message
    examples:
      en: [i want to leave a message, can somebody call me back, please call me, take a message]
flows:
  - name: message
    slots:
      - { name: caller, type: name, prompts: { en: ["What is your name, please?"] } }
      - { name: phone, type: phone, prompts: { en: ["And which number can we call you on?"] } }
    confirm: { en: "We call you, {{caller}}, on {{phone}}. Is that right?" }
    actions:
      - { type: say, text: { en: "Thank you. Somebody will call you back. Is there anything else?" } }

knowledge:
  - question: { en: [when are you open, what are your opening hours, are you open now] }
    answer: { en: "We are open from Sunday to Thursday, from nine to five." }

goodbye:
  en: "Thank you for calling. Goodbye!"
# Where callers go who ask for a person: an extension, a number or a SIP address.
# transferTarget: "1900"
`,
  ar: `language: ar-SA
voice: VOICE
model: sada-1
status: live
greeting:
  ar: "حياك الله، معك NAME. كيف أقدر أخدمك؟"

intents:
  - name: message
    label: { ar: ترك رسالة }
    flow: message
    examples:
      ar: [ابغى اترك رسالة, ابي احد يتصل علي, كلموني لو سمحتوا, ابلغهم يتصلون بي]
flows:
  - name: message
    slots:
      - { name: caller, type: name, prompts: { ar: ["عطني اسمك لو سمحت؟"] } }
      - { name: phone, type: phone, prompts: { ar: ["ورقم جوالك؟"] } }
    confirm: { ar: "نتصل عليك يا {{caller}} على الرقم {{phone}}. صحيح؟" }
    actions:
      - { type: say, text: { ar: "أبشر، بنتصل عليك. تبي شي ثاني؟" } }

knowledge:
  - question: { ar: [متى تفتحون, وش اوقات الدوام, انتم فاتحين الحين] }
    answer: { ar: "نستقبلكم من الأحد إلى الخميس، من تسع الصباح إلى خمس العصر." }

goodbye:
  ar: "شكرًا لاتصالك، مع السلامة."
# تحويل المتصل لموظف: تحويلة أو رقم أو عنوان SIP
# transferTarget: "1900"
`,
};
