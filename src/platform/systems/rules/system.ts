// SPDX-License-Identifier: Apache-2.0
// A system: an installation whose reports can be read, with the settings to reach it. Settings contain credentials.
import { randomBytes, randomUUID } from 'node:crypto';
import type { Written } from '../../../channels/written.ts';
import type { SystemType } from '../contract/systemValues.ts';

export const reportNames = {
  ssai: [
    'viewers',
    'requests',
    'breaks',
    'ad-requests',
    'ad-sources',
    'demand-funnel',
    'ads',
    'skips',
    'beacons',
    'creatives',
  ],
  'cloud-media-services': ['storage', 'creatives'],
} as const satisfies Record<SystemType, readonly string[]>;

/** A system, whose id is a UUID and part of the routes of reports. */
export type System = Written & {
  /** Internal record id. */
  readonly _id: string;
  readonly name: string;
  readonly type: SystemType;
  readonly settings: Readonly<Record<string, string>>;
};

/** The key of a system in report stores. System ids are unique per tenant only. */
export const systemKey = ({ tenant, id }: Pick<System, 'tenant' | 'id'>): string => `${tenant}/${id}`;

/** The state of an external system: a blob container or a search domain. */
export type SystemState = {
  readonly state: 'working' | 'failing' | 'unused';
  /** A sentence without secrets. */
  readonly stateReason?: string;
};

export const newRecordId = (): string => randomBytes(12).toString('hex');

/** The system that every tenant starts with: this installation. */
export const ownSystem = (tenant: string, createdBy: string, createdAt: string): System => ({
  _id: newRecordId(),
  id: randomUUID(),
  tenant,
  name: 'Midroll',
  type: 'ssai',
  settings: {},
  createdBy,
  createdAt,
});
