import { setPriority } from 'node:os';

/**
 * This process computes while whole calls are held in real time: they go first, by a tenth of the weight of a recogniser. Not the
 * lowest priority, with which it would get nothing beside a program that takes all there is.
 */
setPriority(13);
