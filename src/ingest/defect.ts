// SPDX-License-Identifier: Apache-2.0
// Defects of Midroll that appear while others' manifests and media are read. They are neither a fault of an origin or a creative
// nor permanent, and messages to operators state that.
import { isInvariantError } from '../invariant.ts';

/** Whether only a mistake in the program throws it, which depends neither on the disk nor on another program. */
export const isDefect = (error: unknown): boolean =>
  isInvariantError(error) ||
  error instanceof TypeError ||
  error instanceof RangeError ||
  error instanceof ReferenceError;

/** @param task for example `read this asset`; @param logged the message of the log line that contains the error */
export const defectText = (task: string, logged: string): string =>
  `Midroll failed to ${task}: this is a defect of Midroll; search the log for "${logged}"`;
