// SPDX-License-Identifier: Apache-2.0
// The administrative interface for one test, with clients of both tenants.
import { openedInTest } from '../opened.ts';
import { type AdminTestOptions, startAdmin } from '../servers/adminServer.ts';
import { clientOf } from './client.ts';

export async function startInTest(options: AdminTestOptions = {}) {
  const admin = await openedInTest(startAdmin(options));
  return { admin, call: clientOf(admin.app, admin.key), other: clientOf(admin.app, admin.otherKey) };
}
