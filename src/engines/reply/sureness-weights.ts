/** Weights of a logistic regression. Fitted by scripts/bench/reply-fit.mjs: change the evidence, not these. */
export const SURENESS = {
  bias: -0.521,
  score: 2.444,
  lead: 3.338,
  whole: 0.662,
  unknown: -0.575,
  other: -1.255,
  coverLead: 1.77,
  strange: -0.313,
  denial: -0.553,
  asks: 0.541,
};
