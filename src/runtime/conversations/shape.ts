/** Whether a value that was read is what it should be. */
export type Check = (value: unknown) => boolean

export const text: Check = (value) => typeof value === 'string'
export const number: Check = (value) => typeof value === 'number'
export const count: Check = (value) => Number.isSafeInteger(value) && Number(value) >= 0
export const orNull =
  (check: Check): Check =>
  (value) =>
    value === null || check(value)
export const orAbsent =
  (check: Check): Check =>
  (value) =>
    value === undefined || check(value)
export const listOf =
  (check: Check): Check =>
  (value) =>
    Array.isArray(value) && value.every(check)

/** A check for each member: the compiler asks for one wherever a record gets another. */
export const like =
  <T extends object>(checks: { readonly [K in keyof Required<T>]: Check }): Check =>
  (value) =>
    typeof value === 'object' &&
    value !== null &&
    Object.entries<Check>(checks).every(([key, check]) => check((value as Readonly<Record<string, unknown>>)[key]))

export const oneOf =
  <T extends string>(values: Readonly<Record<T, true>>): Check =>
  (value) =>
    typeof value === 'string' && Object.hasOwn(values, value)
