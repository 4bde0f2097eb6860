import { englishStem } from '../../../language/english-stem.ts';

/** Plain forms of the verbs that questions are asked with: `where did the keeper live`. */
const VERBS: ReadonlySet<string> = new Set(
  `accept accompany achieve add admit adopt advise affect agree aim allow announce answer appear apply appoint approve argue arrange arrest arrive ask attack attend attract award
ban beat become begin belong bind bite blame bloom borrow breathe breed bring build burn bury buy calculate call campaign capture carry carve cause celebrate change charge charter choose claim climb close collapse collect
combine commemorate commission communicate compare compete complain complete compose conclude conduct connect conquer consider consist construct consume contain continue contribute control convert cook cost cover create criticise criticize cross cultivate cure cut
damage dance date deal decide declare declare decline defeat defend define deliver demand demolish denounce deny depend depict derive describe design destroy determine develop die differ dig direct disappear discover display divide dominate donate draft draw drink drive drop
earn eat elect emerge employ enable encourage end endure enter escape establish estimate evolve examine exceed exchange exhibit exist expand expect expel experience explain explode explore export extend face fail fall fear feature feed feel fight fill finance find finish fish fit flee float flow fly focus follow forbid force form found freeze fund gain gather generate give govern graduate grow guard guide
handle happen harm harvest hatch hate head heal hear heat help hide hire hit hold honour host house hunt hurt identify import impose impress improve inaugurate include increase indicate influence inform inhabit inherit injure insist inspire install intend interpret introduce invade invent invest invite issue join judge jump keep kill kiss know lack land last launch lay lead learn leave lend lie lift like limit link list live locate lose love
maintain make manage manufacture march mark marry mature mean measure meet melt mention migrate mine move multiply murder name need nest object observe obtain occupy occur offer open operate oppose order organise organize originate outlaw overlook overtake own paint pass pay perform permit persuade place plan plant play poison possess praise predict prefer prepare present preserve prevent print produce prohibit promise promote propose protect protest prove provide publish pull purchase pursue push put
quarry raise rank reach react read rebel receive recognise recognize recommend record recover refer reflect refuse regard reign reject release rely remain remember remove rename renovate repair replace report represent reproduce request require rescue resemble resign resist respond restore result retire return reveal revolt ride rise rule run rush sail save say score seat see seek sell send separate serve settle shape share shed shine shoot show sign sing sink sit sleep smell speak specialise specialize spend split sponsor spread stage stand star start state stay steal stem stop store strike study submit succeed suffer suggest supply support surrender survive swim
take taste teach test think threaten throw tour trade train transform translate transport travel treat try turn understand unite use vanish vary visit vote walk want warn wash watch wear weigh win work worship write yield`
    .split(/\s+/)
    .flatMap((verb) => [verb, englishStem(verb)]),
);

const IRREGULAR_PAST =
  'born built found won held made written begun sold bought paid lost taken given kept sent taught led fought grown known seen shown drawn worn broken chosen spent said told met put cut hit set left brought caught become flown driven hung struck laid lain fell came went began wrote sang swam ran rose stood spoke stole wore ate broke grew drew flew knew saw gave took got lay sank agreed freed decreed guaranteed'.split(
    ' ',
  );
const PASTS: ReadonlySet<string> = new Set(IRREGULAR_PAST);

/** Whether a folded English word is the plain form of a verb that questions are asked with. */
export function isPlainVerb(word: string): boolean {
  return VERBS.has(word);
}

const NO_PAST = /^(?:shed|sled|hundred|sacred|embed|naked|wicked|kindred|hatred|biped|bed|red)$/;

/** Whether a folded English word looks like the past of a verb: `quarried`, `built`. */
export function isPast(word: string): boolean {
  return (/^[a-z]+[^e]ed$/.test(word) && !NO_PAST.test(word)) || PASTS.has(word);
}

/** `rejects`, `causes`: the present of a verb that questions are asked with. */
export function isPresent(word: string): boolean {
  return /^[a-z]{3,}s$/.test(word) && (VERBS.has(word.slice(0, -1)) || VERBS.has(englishStem(word)));
}
