import { constants, setPriority } from 'node:os';

/** This process computes while whole calls are held in real time: they go first. */
setPriority(constants.priority.PRIORITY_LOW);
