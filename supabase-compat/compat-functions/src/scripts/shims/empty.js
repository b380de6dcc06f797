// Replaces modules that contain types only, or what the runtime has itself.
export {}
