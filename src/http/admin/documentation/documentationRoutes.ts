// The interface described: OpenAPI for machines, a page for people.

import type { Answer, OpenRoute, Route } from '../request/route.ts';
import { docsPage } from './docsPage.ts';
import { openApi } from './openApi.ts';

export function documentationRoutes(routes: readonly Route[]): Route[] {
  const document = openApi(routes);
  const page = docsPage(document);
  const facts = { tag: 'documentation', method: 'GET', errors: [], example: {} } as const;
  const openApiAnswer = { status: 200, description: 'OpenAPI 3.1' };
  const handle = async (): Promise<Answer> => ({ status: 200, json: document });
  const pageRoute: OpenRoute = {
    ...facts,
    isOpen: true,
    path: '/docs',
    operationId: 'getDocs',
    summary: 'This interface, readable',
    answer: { status: 200, description: 'HTML' },
    handle: async () => ({ status: 200, text: { contentType: 'text/html; charset=utf-8', content: page } }),
  };
  const operation = { ...facts, summary: 'This interface as OpenAPI', answer: openApiAnswer, handle };
  return [
    { ...operation, path: '/api/v2/openapi.json', operationId: 'getOpenApi' },
    // Every route of /api/v2 wants a key; the page links to this one.
    { ...operation, path: '/openapi.json', operationId: 'getOpenApiWithoutKey', isOpen: true },
    pageRoute,
  ];
}
