// Entity tags of records, and the conditions that requests set on them. Source: RFC 9110 §8.8.3, §13.1.
import { AppError } from '../../../errors.ts';

export type Tagged = { readonly createdAt: string; readonly version: number };

/** Strong: another record under the same id has another time of creation. */
export const entityTag = ({ createdAt, version }: Tagged): string =>
  `"${Date.parse(createdAt).toString(36)}.${version}"`;

const listed = (header: string): string[] => header.split(',').map((tag) => tag.trim());

/** @throws {AppError} PRECONDITION_FAILED when If-Match names other versions than this */
export function checkIfMatch(header: string | undefined, record: Tagged): void {
  if (header === undefined || header.trim() === '*' || listed(header).includes(entityTag(record))) return;
  const message = `If-Match wants ${header.slice(0, 200)}; the record is at ${entityTag(record)}. Read it again first.`;
  throw new AppError('PRECONDITION_FAILED', message);
}

/** If-None-Match compares weakly: the client has this already. */
export const isKnown = (header: string | undefined, tag: string): boolean =>
  header !== undefined && (header.trim() === '*' || listed(header).some((known) => known.replace(/^W\//, '') === tag));
