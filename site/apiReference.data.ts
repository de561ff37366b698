// SPDX-License-Identifier: Apache-2.0
// The API reference, from the schemas that validate requests: the body of the page that Midroll serves at /docs.
import { adminRoutes } from '../src/http/admin/adminServer.ts';
import { docsContent } from '../src/http/admin/documentation/docsPage.ts';
import { liveRoutes } from '../src/http/admin/documentation/live/liveRoutes.ts';
import { openApi } from '../src/http/admin/documentation/openApi.ts';
import type { AdminDeps } from '../src/http/admin/routes/ports.ts';

export type ApiReference = { readonly html: string };
declare const data: ApiReference;

export { data };

/** Routes are documented without being called. */
const uncalled: AdminDeps = new Proxy({} as AdminDeps, { get: () => () => uncalled });

function load(): ApiReference {
  return { html: docsContent(openApi(adminRoutes(uncalled), liveRoutes)) };
}

export default { watch: ['../src/http/**/*.ts'], load };
