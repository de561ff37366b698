// SPDX-License-Identifier: Apache-2.0
// The documentation of the API: an OpenAPI document and an HTML page.

import type { OpenRoute, Route, RouteResponse } from '../request/route.ts';
import { docsPage } from './docsPage.ts';
import { openApi } from './openApi.ts';

export function documentationRoutes(routes: readonly Route[]): Route[] {
  const document = openApi(routes);
  const page = docsPage(document);
  const facts = { tag: 'documentation', method: 'GET', errors: [], example: {} } as const;
  const openApiResponse = { status: 200, description: 'OpenAPI 3.1 document.' };
  const handle = async (): Promise<RouteResponse> => ({ status: 200, json: document });
  const pageRoute: OpenRoute = {
    ...facts,
    isOpen: true,
    path: '/docs',
    operationId: 'getDocs',
    summary: 'API documentation as a web page',
    response: { status: 200, description: 'HTML page.' },
    handle: async () => ({ status: 200, text: { contentType: 'text/html; charset=utf-8', content: page } }),
  };
  const operation = { ...facts, summary: 'API documentation as OpenAPI', response: openApiResponse, handle };
  return [
    { ...operation, path: '/api/v2/openapi.json', operationId: 'getOpenApi' },
    // Every route of /api/v2 requires a key; the page links to this copy.
    { ...operation, path: '/openapi.json', operationId: 'getOpenApiWithoutKey', isOpen: true },
    pageRoute,
  ];
}
