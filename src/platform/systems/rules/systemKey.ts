// SPDX-License-Identifier: Apache-2.0
// The key of a system in report stores. System ids are unique per tenant only.
import type { System } from './system.ts';

export const systemKey = ({ tenant, id }: Pick<System, 'tenant' | 'id'>): string => `${tenant}/${id}`;
