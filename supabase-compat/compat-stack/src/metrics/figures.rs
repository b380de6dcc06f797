//! Metrics that other components keep, read at each scrape.

use std::collections::HashMap;

use prometheus::core::{Collector, Desc};
use prometheus::proto::MetricFamily;
use prometheus::{Gauge, IntCounter, IntCounterVec, IntGaugeVec, Opts};

/// A metric, or one for each set of label values.
pub(crate) struct Figure {
    name: &'static str,
    help: &'static str,
    labels: Vec<&'static str>,
    family: Result<Vec<MetricFamily>, prometheus::Error>,
}

impl Figure {
    /// A counter.
    pub fn counter(name: &'static str, help: &'static str, count: u64) -> Self {
        let family = IntCounter::new(name, help).map(|counter| {
            counter.inc_by(count);
            counter.collect()
        });
        Self { name, help, labels: Vec::new(), family }
    }

    /// A counter for each value of a label.
    pub fn counters(
        name: &'static str,
        help: &'static str,
        label: &'static str,
        counts: &[(&str, u64)],
    ) -> Self {
        let rows = counts.iter().map(|(value, count)| (vec![(*value).to_owned()], *count));
        Self::counters_by(name, help, &[label], rows)
    }

    /// A counter for each set of values of several labels.
    pub fn counters_by(
        name: &'static str,
        help: &'static str,
        labels: &[&'static str],
        rows: impl Iterator<Item = (Vec<String>, u64)>,
    ) -> Self {
        let family = IntCounterVec::new(Opts::new(name, help), labels).map(|counters| {
            for (values, count) in rows {
                counters.with_label_values(&values).inc_by(count);
            }
            counters.collect()
        });
        Self { name, help, labels: labels.to_vec(), family }
    }

    /// A gauge for each set of values of several labels.
    pub fn gauges_by(
        name: &'static str,
        help: &'static str,
        labels: &[&'static str],
        rows: impl Iterator<Item = (Vec<String>, u64)>,
    ) -> Self {
        let family = IntGaugeVec::new(Opts::new(name, help), labels).map(|gauges| {
            for (values, count) in rows {
                gauges.with_label_values(&values).set(i64::try_from(count).unwrap_or(i64::MAX));
            }
            gauges.collect()
        });
        Self { name, help, labels: labels.to_vec(), family }
    }

    /// A gauge.
    pub fn gauge(name: &'static str, help: &'static str, value: f64) -> Self {
        let family = Gauge::new(name, help).map(|gauge| {
            gauge.set(value);
            gauge.collect()
        });
        Self { name, help, labels: Vec::new(), family }
    }

    /// A gauge of a number of items.
    pub fn gauge_of(name: &'static str, help: &'static str, count: usize) -> Self {
        Self::gauge(name, help, f64::from(u32::try_from(count).unwrap_or(u32::MAX)))
    }

    fn desc(&self) -> Option<Desc> {
        let labels = self.labels.iter().map(|label| (*label).to_owned()).collect();
        Desc::new(self.name.to_owned(), self.help.to_owned(), labels, HashMap::new()).ok()
    }
}

/// Reads metrics at each scrape, so that a scrape sees consistent values.
pub(crate) struct Figures<F> {
    read: F,
    descs: Vec<Desc>,
}

impl<F: Fn() -> Vec<Figure>> Figures<F> {
    /// A collector over `read`, which must return the same names each time.
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
