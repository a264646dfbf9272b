/**
 * @param latitude parameter with degrees, like `longitude`
 * @returns the SQL of a point on the unit sphere, computed like `place.point`, so that the same place has distance 0
 */
export const pointAt = (latitude: string, longitude: string): string => `cube(array[
  cos(radians(${latitude}::float8)) * cos(radians(${longitude}::float8)),
  cos(radians(${latitude}::float8)) * sin(radians(${longitude}::float8)),
  sin(radians(${latitude}::float8))
])`;
