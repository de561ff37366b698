// SPDX-License-Identifier: Apache-2.0
// The settings of the history of sessions, part of environment.ts.
import { Type } from 'typebox';

export const historySettings = {
  TRACE_RETENTION: Type.Integer({
    minimum: 0,
    maximum: 3650,
    default: 7,
    description: 'Days that ended sessions are kept with their traces and the addresses of viewers. 0 keeps none.',
  }),
  TRACE_MAX_MB: Type.Integer({
    minimum: 1,
    maximum: 10_000_000,
    default: 1024,
    description: 'Size of the traces of ended sessions in the database, in MiB, above which the oldest are deleted.',
  }),
};
