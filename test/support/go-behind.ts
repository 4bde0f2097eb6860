import { constants, setPriority } from 'node:os';

/**
 * This process computes while whole calls are held in real time: they go first. Not the lowest priority, with which it would get
 * nothing beside a program that takes all there is.
 */
setPriority(constants.priority.PRIORITY_BELOW_NORMAL);
