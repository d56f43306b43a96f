//! Every interleaving of one writer and one reader of the hand-over, by loom: `make test-loom`.
#![cfg(loom)]

use stiction_loom::handover::latest;

#[test]
fn every_interleaving_hands_over_whole_values_in_order() {
    loom::model(|| {
        let (mut writer, mut reader) = latest([0_u64; 2]);
        let thread = loom::thread::spawn(move || {
            for i in 1..=3 {
                writer.publish(&[i; 2]);
            }
        });
        let mut last = 0;
        for _ in 0..3 {
            let ([a, b], fresh) = reader.take();
            assert_eq!(a, b, "half a value");
            assert!(a > last || (a == last && !fresh), "not in order, or fresh without reason");
            last = a;
        }
        thread.join().unwrap();
        assert_eq!(reader.take().0, [3; 2], "the last value is lost");
    });
}
