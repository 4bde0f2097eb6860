import { foldedSet } from '../../../language/fold-word.ts';

/** Parts of an address. */
export const MARKERS = foldedSet(
  'بيت منزل شارع طريق حي مبنى عمارة شقة فيلا فلة الدور دور بناية برج وحدة بلوك مخطط مربع الرمز زقاق ممر',
  'street st road rd avenue ave building bldg apartment apt flat villa floor district neighborhood neighbourhood block unit tower zip box lane boulevard blvd house suite',
);
/** These alone make a place somebody's: finer than a city. */
export const FINE = foldedSet(
  'شارع حي مبنى عمارة شقة فيلا فلة بناية street road avenue building apartment flat villa district block house st rd',
);
export const CITIES = foldedSet(
  'الرياض جدة مكة المدينة الدمام الخبر الظهران الطائف تبوك بريدة عنيزة حائل أبها خميس نجران جازان جيزان الباحة سكاكا عرعر الجبيل ينبع الأحساء الهفوف القطيف الخرج الدوادمي المجمعة القصيم بيشة رابغ القنفذة دبي الكويت المنامة الدوحة القاهرة',
  'riyadh jeddah makkah mecca madinah medina dammam khobar dhahran taif tabuk buraidah unaizah hail abha najran jazan jizan baha sakaka arar jubail yanbu ahsa hofuf qatif kharj qassim dubai kuwait manama doha cairo london',
);
/** The address is over: the sentence goes on with something else. */
export const STOPS = foldedSet(
  'وللتواصل للتواصل والتواصل وجوالي جوالي ورقم ورقمي رقمي وهويتي هويتي وإيميلي وبريدي وأبغى أبغى أبي وأبي وأريد أريد وأحتاج أحتاج شكرا لو متى هل كيف ليش عندي وعندي والطلب والتوصيل وصلوا أرسلوا ابعثوا وابعثوا يرجى الرجاء وأنا أنا لكن بس من منذ قبل وراتبي وعمري وحسابي واسمي وزوجتي صار صارت وصار مع وش ايش اللي الذي حاليا ممكن عشان علشان لأن فقط توصل وين إذا وإذا المندوب واتصل يتصل',
  'and my phone mobile call please thanks thank can could when how what why but so i we you my email id is are was have has need want with since for because that which who would deliver send thank where',
);
