// SPDX-License-Identifier: Apache-2.0
// The documentation of the API: an OpenAPI document and an HTML page.
import type { RequestSource } from '../../proxies.ts';
import type { OpenRoute, Route, RouteResponse } from '../request/route.ts';
import { docsContent, docsPage } from './docsPage.ts';
import { liveRoutes } from './live/liveRoutes.ts';
import { openApi, withServers } from './openApi.ts';

/** The public URLs of the ports without a trailing slash, for a request to the administrative port: as configured, or as in it. */
export type PublicUrls = {
  readonly baseUrl: (request: RequestSource) => string;
  readonly liveUrl: (request: RequestSource) => string;
};

export function documentationRoutes(routes: readonly Route[], { baseUrl, liveUrl }: PublicUrls): Route[] {
  const document = openApi(routes, liveRoutes);
  const content = docsContent(document);
  const urlsFor = (request: RequestSource) => ({ admin: baseUrl(request), live: liveUrl(request) });
  const facts = { tag: 'documentation', method: 'GET' } as const;
  const openApiResponse = { status: 200, description: 'OpenAPI 3.1 document.' };
  const handle = async (request: RequestSource): Promise<RouteResponse> => ({
    status: 200,
    json: withServers(document, urlsFor(request)),
  });
  const pageRoute: OpenRoute = {
    ...facts,
    isOpen: true,
    path: '/docs',
    operationId: 'getDocs',
    summary: 'API documentation as a web page',
    response: { status: 200, description: 'HTML page.' },
    handle: async (request) => ({
      status: 200,
      text: { contentType: 'text/html; charset=utf-8', content: docsPage(document, urlsFor(request), content) },
    }),
  };
  const operation = { ...facts, summary: 'API documentation as OpenAPI', response: openApiResponse, handle };
  return [
    { ...operation, path: '/api/v2/openapi.json', operationId: 'getOpenApi' },
    // Every route of /api/v2 requires a key; the page links to this copy.
    { ...operation, path: '/openapi.json', operationId: 'getOpenApiWithoutKey', isOpen: true },
    pageRoute,
  ];
}
