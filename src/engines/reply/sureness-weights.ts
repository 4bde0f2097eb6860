/** Weights of a logistic regression. Fitted by scripts/bench/reply-fit.mjs: change the evidence, not these. */
export const SURENESS = {
  bias: -1.847,
  score: 2.144,
  lead: 4.537,
  whole: 2.475,
  other: -1.399,
  coverLead: 0.47,
  strange: -0.248,
  denial: -0.196,
  asks: 0.58,
};
