// SPDX-License-Identifier: Apache-2.0
// Compares the types of schemas with the types of the modules behind the routes, which are readonly.
/** Schemas have no readonly modifiers, so they are removed before comparing. */
export type Mutable<T> = T extends readonly (infer Item)[]
  ? Mutable<Item>[]
  : T extends object
    ? { -readonly [Key in keyof T]: Mutable<T[Key]> }
    : T;

export type DeepReadonly<T> = T extends readonly (infer Item)[]
  ? readonly DeepReadonly<Item>[]
  : T extends object
    ? { readonly [Key in keyof T]: DeepReadonly<T[Key]> }
    : T;

/** A value as a handler returns it. JSON leaves out fields that are undefined. */
export type Sent<T> = T extends readonly (infer Item)[]
  ? readonly Sent<Item>[]
  : T extends object
    ? { readonly [Key in keyof T]: Sent<T[Key]> | (Pick<T, Key> extends Required<Pick<T, Key>> ? never : undefined) }
    : T;

/**
 * The type of a contract's schema. It is `never`, and every use of it a compile error, if it differs from the type that the
 * module behind the route returns.
 */
export type Matching<Schema, Returned> =
  (<T>() => T extends Schema ? 1 : 2) extends <T>() => T extends Returned ? 1 : 2 ? Schema : never;
