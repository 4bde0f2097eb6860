/** Weights of a logistic regression. Fitted by scripts/bench/reply-fit.mjs: change the evidence, not these. */
export const SURENESS = {
  bias: -1.891,
  score: 1.722,
  lead: 6.157,
  whole: 2.21,
  other: -2.132,
  coverLead: 0.586,
  strange: -0.003,
  denial: -0.112,
  asks: 0.759,
};
