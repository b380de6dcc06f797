// Stands in for types alone, and for what the runtime has by itself.
export {}
