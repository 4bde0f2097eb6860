import { pattern } from '../pattern.ts';

/** Say that what was said, or read back, is wrong. */
export const JUDGES = pattern()`
  (?:^| )(?:wrong|incorrect|different|a mistake|not (?:that|this|it)|(?:isnt|aint|is not) (?:it|that)|(?:not|isnt|is not|
  aint)(?: the| quite| really)?(?: right| correct)|غلط|خطا|خاطي|مشكله|(?:مو|مب|مهب|مش|موب|غير) (?:هو )?(?:كذا|صح|صحيح|صحيحه|مضبوط|مضبوطه|
  تمام))(?: |$)
`;
