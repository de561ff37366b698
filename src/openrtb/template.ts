// SPDX-License-Identifier: Apache-2.0
// The operator's part of a bid request: a JSON object whose strings may contain macros, which is merged over Midroll's part.
import { unencoded } from '../ads/request/buildAdRequest.ts';
import { isRequestMacro } from '../ads/request/macroNames.ts';
import type { OpenRtbSource } from '../channels/demand.ts';
import { isFields } from '../channels/fieldsOf.ts';
import { unknownMacros } from '../vast/macroNotation.ts';
import { fillMacros, type MacroValues } from '../vast/macros.ts';

/** Deeper values are left out: OpenRTB has about ten levels. */
const MAX_DEPTH = 20;

/** VAST's value of a macro that is unknown (VAST 4.2 §6.1) has no meaning in OpenRTB. */
function filledText(text: string, values: MacroValues): string | undefined {
  const filled = fillMacros(text, values, unencoded);
  return filled !== text && (filled === '' || filled === '-1') ? undefined : filled;
}

function filledNumber(text: string, values: MacroValues): number | undefined {
  const filled = filledText(text, values);
  return filled === undefined || filled.trim() === '' || !Number.isFinite(Number(filled)) ? undefined : Number(filled);
}

/**
 * A template with its macros filled. `{"$number": "[MACRO]"}` is the macro's value as a number. What is empty or unknown once it is
 * filled is left out.
 */
export function fillTemplate(value: unknown, values: MacroValues, depth = 0): unknown {
  if (typeof value === 'string') return filledText(value, values);
  if (depth > MAX_DEPTH) return undefined;
  if (Array.isArray(value))
    return value.map((one) => fillTemplate(one, values, depth + 1)).filter((one) => one !== undefined);
  if (!isFields(value)) return value;
  const fields = Object.entries(value);
  const [[name, only] = [], ...others] = fields;
  if (name === '$number' && typeof only === 'string' && others.length === 0) return filledNumber(only, values);
  return Object.fromEntries(
    fields.flatMap(([field, inner]): [string, unknown][] => {
      const filled = fillTemplate(inner, values, depth + 1);
      return filled === undefined ? [] : [[field, filled]];
    }),
  );
}

/** Objects are merged field by field, and impressions by their index; any other value replaces ours, and null removes it. */
export function mergeTemplate(own: unknown, over: unknown, name = ''): unknown {
  if (name === 'imp' && Array.isArray(own) && Array.isArray(over)) {
    const length = Math.max(own.length, over.length);
    return Array.from({ length }, (_, index) => (index in over ? mergeTemplate(own[index], over[index]) : own[index]));
  }
  if (!isFields(own) || !isFields(over)) return over;
  const fields = new Map(Object.entries(own));
  for (const [field, value] of Object.entries(over)) {
    if (value === null) fields.delete(field);
    else fields.set(field, mergeTemplate(fields.get(field), value, field));
  }
  return Object.fromEntries(fields);
}

const textsIn = (value: unknown, depth = 0): string[] => {
  if (typeof value === 'string') return [value];
  if (typeof value !== 'object' || value === null || depth > MAX_DEPTH) return [];
  return Object.values(value).flatMap((inner) => textsIn(inner, depth + 1));
};

/** About what most bidders reject, and macros that are not replaced. */
export function bidTemplateWarnings({ url, headers = {}, template = {} }: OpenRtbSource): string[] {
  const texts = [url, ...Object.values(headers), ...textsIn(template)];
  const macros = new Set(texts.flatMap((text) => unknownMacros(text, isRequestMacro)));
  const unknown = [...macros].map(
    (macro) => `the source's URL, headers or template contain the unknown macro ${macro}; it is sent as it is`,
  );
  const hasPlace = ['app', 'site', 'dooh'].some((name) => isFields(template[name]));
  return hasPlace ? unknown : ['the template has neither app nor site, so most bidders reject the request', ...unknown];
}
