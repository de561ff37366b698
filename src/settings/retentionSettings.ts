// SPDX-License-Identifier: Apache-2.0
// The settings of how long data are kept, part of environment.ts.
import { Type } from 'typebox';

export const retentionSettings = {
  OFF_AIR_GRACE: Type.Integer({
    minimum: 0,
    maximum: 86_400,
    default: 600,
    description: 'Seconds after disabling a channel within which enabling it again continues its sessions.',
  }),
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
  BEACON_RETENTION: Type.Integer({
    minimum: 1,
    maximum: 3650,
    default: 30,
    description: 'Days that beacons are kept in the ledger.',
  }),
  AUDIT_RETENTION: Type.Integer({
    minimum: 1,
    maximum: 36_500,
    default: 365,
    description: 'Days that entries are kept in the audit log.',
  }),
};
