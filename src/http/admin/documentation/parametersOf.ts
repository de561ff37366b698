// SPDX-License-Identifier: Apache-2.0
// The parameters of an operation in the OpenAPI document.
import type { TObject, TSchema } from 'typebox';
import type { RouteFacts } from '../request/route.ts';
import type { LiveRoute } from './live/playbackRoutes.ts';
import { type Json, plain } from './schemaReferences.ts';

export type Parameter = {
  readonly name: string;
  readonly in: 'path' | 'query' | 'header';
  readonly required: boolean;
  readonly schema: Json;
  readonly description?: string;
  readonly example?: string;
  readonly style?: 'form';
  readonly explode?: true;
};

const described = (description: string | undefined) => (description ? { description } : {});

/** All other query parameters: an object whose properties are parameters (OpenAPI 3.1, "Style Values", form). */
const adVariables: Parameter = {
  name: 'variables',
  in: 'query',
  required: false,
  schema: { type: 'object', additionalProperties: { type: 'string' } },
  description: 'Any other parameters: each one is a variable for the ad server, such as `device=tv`.',
  style: 'form',
  explode: true,
};

export function parametersOf(route: RouteFacts & Pick<LiveRoute, 'parameters' | 'hasAdVariables'>): Parameter[] {
  const { path, query, headers, example, parameters, hasAdVariables } = route;
  const inPath = (path.match(/(?<=:)\w+/g) ?? []).map((name): Parameter => {
    const sample = example.params?.[name];
    return {
      name,
      in: 'path',
      required: true,
      schema: { type: 'string' },
      ...described(parameters?.[name]),
      ...(sample ? { example: sample } : {}),
    };
  });
  const inQuery = Object.entries((query ?? { properties: {} }).properties).map(([name, property]): Parameter => {
    const { description, ...schema } = plain(property as TSchema) as Json & { description?: string };
    const sample = example.query?.[name];
    const isRequired = (query as TObject & { required?: string[] }).required?.includes(name) ?? false;
    return {
      name,
      in: 'query',
      required: isRequired && schema.default === undefined,
      schema,
      ...described(description),
      ...(sample === undefined ? {} : { example: sample }),
    };
  });
  const inHeaders = Object.entries(headers ?? {}).map(
    ([name, description]): Parameter => ({
      name,
      in: 'header',
      required: false,
      schema: { type: 'string' },
      description,
    }),
  );
  return [...inPath, ...inQuery, ...(hasAdVariables ? [adVariables] : []), ...inHeaders];
}
