/** Weights of a logistic regression. Fitted by scripts/bench/reply-fit.mjs: change the evidence, not these. */
export const SURENESS = {
  bias: -1.585,
  score: 1.76,
  lead: 5.019,
  whole: 2.37,
  other: -1.74,
  coverLead: 0.351,
  strange: -0.198,
  denial: -0.06,
  asks: 0.486,
};
