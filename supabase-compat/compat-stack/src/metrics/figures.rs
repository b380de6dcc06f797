//! Figures that somebody else keeps, read at the moment of each scrape.

use std::collections::HashMap;

use prometheus::core::{Collector, Desc};
use prometheus::proto::MetricFamily;
use prometheus::{Gauge, IntCounter, IntCounterVec, Opts};

/// One figure, or one for each value of a label.
pub(crate) struct Figure {
    name: &'static str,
    help: &'static str,
    label: Option<&'static str>,
    family: Result<Vec<MetricFamily>, prometheus::Error>,
}

impl Figure {
    /// Something that only grows.
    pub fn counter(name: &'static str, help: &'static str, count: u64) -> Self {
        let family = IntCounter::new(name, help).map(|counter| {
            counter.inc_by(count);
            counter.collect()
        });
        Self { name, help, label: None, family }
    }

    /// The same for each value of a label.
    pub fn counters(
        name: &'static str,
        help: &'static str,
        label: &'static str,
        counts: &[(&str, u64)],
    ) -> Self {
        let family = IntCounterVec::new(Opts::new(name, help), &[label]).map(|counters| {
            for (value, count) in counts {
                counters.with_label_values(&[*value]).inc_by(*count);
            }
            counters.collect()
        });
        Self { name, help, label: Some(label), family }
    }

    /// Something that comes and goes.
    pub fn gauge(name: &'static str, help: &'static str, value: f64) -> Self {
        let family = Gauge::new(name, help).map(|gauge| {
            gauge.set(value);
            gauge.collect()
        });
        Self { name, help, label: None, family }
    }

    /// The same for a number of things.
    pub fn gauge_of(name: &'static str, help: &'static str, count: usize) -> Self {
        Self::gauge(name, help, f64::from(u32::try_from(count).unwrap_or(u32::MAX)))
    }

    fn desc(&self) -> Option<Desc> {
        let labels = self.label.iter().map(|label| (*label).to_owned()).collect();
        Desc::new(self.name.to_owned(), self.help.to_owned(), labels, HashMap::new()).ok()
    }
}

/// Reads figures whenever the metrics are asked for, so that none is ever seen half counted.
pub(crate) struct Figures<F> {
    read: F,
    descs: Vec<Desc>,
}

impl<F: Fn() -> Vec<Figure>> Figures<F> {
    /// Over what `read` reads; it gives the same names each time.
    pub fn new(read: F) -> Self {
        let descs = read().iter().filter_map(Figure::desc).collect();
        Self { read, descs }
    }
}

impl<F: Fn() -> Vec<Figure> + Send + Sync> Collector for Figures<F> {
    fn desc(&self) -> Vec<&Desc> {
        self.descs.iter().collect()
    }

    fn collect(&self) -> Vec<MetricFamily> {
        (self.read)().into_iter().filter_map(|figure| figure.family.ok()).flatten().collect()
    }
}
